package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayTest {

  private static final int SAMPLES = 200_000;

  private static long[] sorted(Delay delay) {
    LongSupplier sampler = delay.sampler(RandomSource.XO_RO_SHI_RO_128_PP.create(3L));
    return LongStream.generate(sampler).limit(SAMPLES).sorted().toArray();
  }

  private static double mean(long[] samples) {
    return LongStream.of(samples).average().orElseThrow();
  }

  @Test
  void aConstantTimeIsAlwaysTheSame() {
    long[] samples = sorted(Delay.parse("1.5ms"));
    assertThat(samples[0]).isEqualTo(samples[SAMPLES - 1]).isEqualTo(1_500_000);
  }

  @Test
  void anExponentialTimeHasItsMeanAndThatDistributions99thPercentile() {
    long[] samples = sorted(Delay.parse("exp:5ms"));
    assertThat(mean(samples)).isCloseTo(5 * MILLISECOND, withinPercentage(1));
    assertThat((double) samples[SAMPLES / 100 * 99])
        .isCloseTo(Math.log(100) * 5 * MILLISECOND, withinPercentage(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 20, 60})
  void aLognormalTimeHasItsMeanAndIts99thPercentile(long p99) {
    long[] samples = sorted(Delay.parse("lognormal:5ms," + p99 + "ms"));
    assertThat(mean(samples)).isCloseTo(5 * MILLISECOND, withinPercentage(1));
    assertThat((double) samples[SAMPLES / 100 * 99])
        .isCloseTo(p99 * MILLISECOND, withinPercentage(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "5ms", "1500us", "7ns", "2h", "exp:5ms", "lognormal:5ms,20ms"})
  void aTimeIsPrintedAsItIsRead(String text) {
    assertThat(Delay.parse(text)).hasToString(text);
    assertThat(Delay.parse(Delay.parse(text).toString())).isEqualTo(Delay.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5 | must be a number with ns, us, ms, s, m or h",
        "-5ms | was '-5ms'",
        "5 ms | was '5 ms'",
        "normal:5ms | must be like 5ms",
        "exp:5ms,6ms | was 'exp:5ms,6ms'",
        "lognormal:5ms | must be like 5ms",
        "lognormal:5ms,5ms | above the mean and at most 14.9 times as long, was 5ms",
        "lognormal:5ms,75ms | was 75ms with a mean of 5ms",
        "9999h | at most 8784h"
      })
  void whatIsNoTimeIsRefused(String text, String complaint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Delay.parse(text))
        .withMessageContaining(complaint);
  }
}
