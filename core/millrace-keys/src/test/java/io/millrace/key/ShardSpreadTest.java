package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys made one after the other spread over the shards as dice would. */
class ShardSpreadTest {

  private static final int KEYS = 20_000;

  /** Keys as applications count them up, always the same. */
  enum Counting {
    NUMBERS(i -> KeyEncoder.int64().encode(i)),
    TIMESTAMPS_A_MILLISECOND_APART(
        i ->
            KeyEncoder.timestamp(ZoneOffset.UTC)
                .encode(Instant.ofEpochMilli(1_704_067_200_000L + i))),
    STRINGS_WITH_A_COMMON_PREFIX(
        i -> KeyEncoder.string().encode(String.format(Locale.ROOT, "customer-%08d", i)));

    private final List<byte[]> keys;

    Counting(LongFunction<byte[]> key) {
      this.keys = LongStream.rangeClosed(1, KEYS).mapToObj(key).toList();
    }
  }

  /**
   * What chi-square exceeds by chance once in 1 000 times: its 0.999 quantile for n - 1 degrees of
   * freedom, as SciPy's {@code stats.chi2.ppf(0.999, n - 1)} gives it.
   */
  private static double limit(int n) {
    return switch (n) {
      case 16 -> 37.70;
      case 64 -> 103.44;
      case 100 -> 148.23;
      case 127 -> 180.80;
      case 1_024 -> 1_168.50;
      default -> throw new IllegalArgumentException("no limit for " + n + " shards");
    };
  }

  static Stream<Arguments> settings() {
    return Stream.of(KeyHash.values())
        .flatMap(
            hash ->
                Stream.of(Counting.values())
                    .flatMap(
                        keys ->
                            Stream.of(16, 64, 100, 1_024).map(n -> Arguments.of(hash, keys, n))));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void keysSpreadEvenly(KeyHash hash, Counting keys, int n) {
    long[] counts = count(Shards.of(n, hash, KeyEncoder.bytes()), keys);
    assertThat(chiSquare(counts, weights(n, 1))).isLessThan(limit(n));
  }

  @ParameterizedTest
  @EnumSource
  void shardZeroOfBothSignsGetsTwiceAsManyKeysAsAnother(Counting keys) {
    long[] counts = count(Shards.farmFingerprint(64, KeyEncoder.bytes()).preservingSign(), keys);
    assertThat(chiSquare(counts, weights(127, 2))).isLessThan(limit(127));
    assertThat(chiSquare(counts, weights(127, 1))).isGreaterThan(limit(127));
  }

  /** One for each shard, and another for the one in the middle. */
  private static long[] weights(int n, long middle) {
    long[] weights = LongStream.range(0, n).map(shard -> 1).toArray();
    weights[n / 2] = middle;
    return weights;
  }

  private static long[] count(Shards<byte[]> shards, Counting keys) {
    long[] counts = new long[(int) shards.count()];
    long first = shards.values().findFirst().orElseThrow();
    for (byte[] key : keys.keys) {
      counts[(int) (shards.applyAsLong(key) - first)]++;
    }
    assertThat(LongStream.of(counts).sum()).isEqualTo(KEYS);
    return counts;
  }

  /** The sum over all shards of (count - expected)² / expected. */
  private static double chiSquare(long[] counts, long[] weights) {
    double unit = (double) LongStream.of(counts).sum() / LongStream.of(weights).sum();
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = weights[i] * unit;
      sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
  }
}
