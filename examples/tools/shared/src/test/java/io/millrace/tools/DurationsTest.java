package io.millrace.tools;

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
  @CsvSource({
    "250us, PT0.00025S",
    "10ms, PT0.01S",
    "0ms, PT0S",
    "3s, PT3S",
    "2m, PT2M",
    "7ns, PT0.000000007S",
    "1.5s, PT1.5S",
    "1h, PT1H"
  })
  void aTimeIsANumberAndAUnit(String text, Duration time) {
    assertThat(new Durations().convert(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "ms", "-1ms", "1.s", "10 ms", "1d", "", "10000000000s"})
  void anythingElseIsRefusedWithWhatWasGivenAndTheUnits(String text) {
    assertThatThrownBy(() -> new Durations().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("must be a number with ns, us, ms, s, m or h, was '" + text + "'");
  }

  @Test
  void aYearIsTheLongest() {
    assertThat(Durations.parse("8784h")).isEqualTo(Duration.ofDays(366).toNanos());
    assertThatThrownBy(() -> Durations.parse("8785h"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must be at most 8784h, was '8785h'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10ms", "2500us", "2m", "90s", "36h", "0s", "1ns"})
  void aTimeIsPrintedInTheShortestFormThatIsRead(String text) {
    assertThat(Durations.text(new Durations().convert(text))).isEqualTo(text);
  }
}
