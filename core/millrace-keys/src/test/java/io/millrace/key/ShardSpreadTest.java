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

  static Stream<Arguments> settings() {
    return Stream.of(KeyHash.values())
        .flatMap(
            hash ->
                Stream.of(Counting.values())
                    .flatMap(keys -> Stream.of(16, 64, 100).map(n -> Arguments.of(hash, keys, n))));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void keysSpreadEvenly(KeyHash hash, Counting keys, int n) {
    ChiSquare.assertUniform(count(Shards.of(n, hash, KeyEncoder.bytes()), keys));
  }

  private static long[] count(Shards<byte[]> shards, Counting keys) {
    long[] counts = new long[(int) shards.count()];
    for (byte[] key : keys.keys) {
      counts[(int) shards.applyAsLong(key)]++;
    }
    assertThat(LongStream.of(counts).sum()).isEqualTo(KEYS);
    return counts;
  }
}
