package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Pearson's test that counts come from a uniform distribution. The limits are the 0.999 quantiles
 * of the chi-square distribution (NIST/SEMATECH e-Handbook of Statistical Methods, table
 * 1.3.6.7.4), which chance alone passes once in 1 000 seeds.
 */
final class ChiSquare {

  private static final Map<Integer, Double> LIMITS =
      Map.of(9, 27.877, 15, 37.697, 63, 103.442, 99, 148.230);

  private ChiSquare() {}

  static double statistic(long[] counts) {
    double expected = (double) Arrays.stream(counts).sum() / counts.length;
    assertThat(expected).as("expected in each class").isGreaterThanOrEqualTo(100);
    return Arrays.stream(counts)
        .mapToDouble(count -> (count - expected) * (count - expected) / expected)
        .sum();
  }

  static double limit(long[] counts) {
    return Objects.requireNonNull(LIMITS.get(counts.length - 1), "no limit for so many classes");
  }

  static void assertUniform(long[] counts) {
    assertThat(statistic(counts)).as(Arrays.toString(counts)).isLessThan(limit(counts));
  }

  static void assertSkewed(long[] counts) {
    assertThat(statistic(counts)).as(Arrays.toString(counts)).isGreaterThan(limit(counts));
  }
}
