package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class ShardsTest {

  private static final long MAX = 2_147_483_648L;

  @Test
  void aStreamOfRowsGetsItsShards() {
    StepVerifier.create(
            Flux.just(new Order("foo", -1), new Order("ünïcödé", -1))
                .transform(Shards.farmFingerprint(64).assign(Order::customer, Order::withShard)))
        .expectNext(new Order("foo", 35)) // 6150913649986995171 = 96108025781046799 * 64 + 35
        .expectNext(new Order("ünïcödé", 50)) // -3285170151344512398 = -51330783614758007 * 64 + 50
        .verifyComplete();
  }

  @Test
  void aShardIsComputedFromARow() {
    StepVerifier.create(
            Flux.just(new Order("foo", -1))
                .transform(
                    Shards.farmFingerprint(2048, KeyEncoder.string().from(Order::customer))
                        .assign(Order::withShard)))
        .expectNext(new Order("foo", 6150913649986995171L % 2048))
        .verifyComplete();
  }

  private record Order(String customer, long shard) {

    Order withShard(long assigned) {
      return new Order(customer, assigned);
    }
  }

  @Test
  void anyHashAndEncoderWillDo() {
    Shards<Long> checksums = Shards.of(MAX, KeyHash.CRC32C, KeyEncoder.int64());
    assertThat(checksums.apply(123456789L)).isEqualTo(0xe3069283L - MAX);
  }

  @Property
  void shardsLieInTheirRange(
      @ForAll byte[] key, @ForAll @LongRange(min = 1, max = MAX) long n, @ForAll KeyHash hash) {
    byte[] keyOfAByteOrMore = key.length == 0 ? new byte[1] : key;
    Shards<byte[]> shards = Shards.of(n, hash, KeyEncoder.bytes());
    assertThat(shards.apply(keyOfAByteOrMore))
        .isEqualTo(shards.applyAsLong(keyOfAByteOrMore))
        .isBetween(0L, n - 1);
    assertThat(shards.preservingSign().applyAsLong(keyOfAByteOrMore)).isBetween(1 - n, n - 1);
  }

  @Property
  void aShardOfEitherSignIsTheShardOrNLess(
      @ForAll long key, @ForAll @LongRange(min = 1, max = MAX) long n) {
    for (KeyHash hash : KeyHash.values()) {
      Shards<Long> shards = Shards.of(n, hash, KeyEncoder.int64());
      long number = hash.toLong(KeyEncoder.int64().encode(key));
      long shard = shards.apply(key);
      boolean less = number < 0 && shard != 0;
      assertThat(shards.preservingSign().apply(key))
          .as("%s", hash)
          .isEqualTo(less ? shard - n : shard);
    }
  }

  @Test
  void everyShardIsListedInOrder() {
    Shards<String> shards = Shards.farmFingerprint(3);
    assertThat(shards.values()).containsExactly(0L, 1L, 2L);
    assertThat(shards.count()).isEqualTo(3);
    assertThat(shards).hasToString("Shards[FARM_FINGERPRINT, 0..2]");
    Shards<String> ofBothSigns = shards.preservingSign();
    assertThat(ofBothSigns.values()).containsExactly(-2L, -1L, 0L, 1L, 2L);
    assertThat(ofBothSigns.count()).isEqualTo(5);
    assertThat(ofBothSigns).hasToString("Shards[FARM_FINGERPRINT, -2..2]");
  }

  @ParameterizedTest
  @EnumSource
  void everyListedShardHasKeysAndNoOther(KeyHash hash) {
    Shards<Long> shards = Shards.of(8, hash, KeyEncoder.int64());
    for (Shards<Long> either : List.of(shards, shards.preservingSign())) {
      assertThat(
              Flux.range(0, 1_000).map(i -> either.apply((long) i)).distinct().sort().toIterable())
          .containsExactlyElementsOf(either.values().boxed().toList());
    }
  }

  @Test
  void oneShardAndTheMostShardsAreAllowed() {
    assertThat(Shards.farmFingerprint(1).apply("foo")).isZero();
    assertThat(Shards.farmFingerprint(1).preservingSign().values()).containsExactly(0L);
    assertThat(Shards.farmFingerprint(MAX).count()).isEqualTo(MAX);
    assertThat(Shards.farmFingerprint(MAX).preservingSign().count()).isEqualTo(2 * MAX - 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, MAX + 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void anotherNumberOfShardsIsRefused(long n) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Shards.farmFingerprint(n))
        .isNotInstanceOf(KeyFormatException.class)
        .withMessage("shards must be from 1 to 2147483648, was " + n);
  }

  /** {@code FARM_FINGERPRINT('')}, and what the definitions of the other hashes say. */
  @Test
  void anEmptyTextHasTheShardThatTheServerGivesIt() {
    long hash = -7_286_425_919_675_154_353L;
    assertThat(KeyHash.FARM_FINGERPRINT.toLong(new byte[0])).isEqualTo(hash);
    for (long n : new long[] {1, 64, 2_048, 1L << 31}) {
      assertThat(Shards.farmFingerprint(n).applyAsLong("")).isEqualTo(Math.floorMod(hash, n));
      assertThat(Shards.farmFingerprint(n).preservingSign().applyAsLong("")).isEqualTo(hash % n);
    }
    for (KeyHash each : KeyHash.values()) {
      long shard = Math.floorMod(each.toLong(new byte[0]), 64);
      assertThat(Shards.of(64, each, KeyEncoder.string()).applyAsLong("")).isEqualTo(shard);
      assertThat(Shards.of(64, each, KeyEncoder.bytes()).apply(new byte[0])).isEqualTo(shard);
    }
  }
}
