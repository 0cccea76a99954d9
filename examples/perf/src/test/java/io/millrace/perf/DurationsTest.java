package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({"250us, PT0.00025S", "10ms, PT0.01S", "0ms, PT0S", "3s, PT3S", "2m, PT2M"})
  void aTimeIsANumberAndAUnit(String text, Duration time) {
    assertThat(new Durations().convert(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "ms", "-1ms", "1.5s", "10 ms", "1h", "", "10000000000s"})
  void anythingElseIsRefusedWithWhatWasGivenAndAnExample(String text) {
    assertThatThrownBy(() -> new Durations().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("10ms");
  }

  @Test
  void aFewNanosecondsAreNotPrintedAsNone() {
    assertThat(Durations.millis(300)).isEqualTo("0.000300");
    assertThat(Durations.millis(12_345)).isEqualTo("0.012");
  }

  @Test
  void aTimeIsPrintedInMilliseconds() {
    assertThat(Durations.text(Duration.ofMillis(10))).isEqualTo("10 ms");
    assertThat(Durations.text(Duration.ofNanos(2_500_000))).isEqualTo("2.5 ms");
  }
}
