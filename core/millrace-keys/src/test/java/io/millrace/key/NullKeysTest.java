package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** What a function that reads a row gives for a column without a value. */
@NullUnmarked
class NullKeysTest {

  private static final List<KeyCodec<?, ?>> CODECS =
      List.of(
          BitReversal.PRESERVING_SIGN,
          BitReversal.ALL_BITS,
          HashPrefix.md5(4),
          ReversedString.BY_CODE_POINT,
          ReversedDecimal.ofWidth(4),
          Digits.ofWidth(4),
          CodeTable.of(Map.of("taobao", "tb")),
          Salt.below(10).suffix(),
          DescendingTime.MICROS,
          UuidLayout.STRING,
          UuidLayout.LONGS,
          UuidLayout.BYTES,
          FormattedId.builder().build());

  @Test
  void everyCodecRefusesItBothWays() {
    assertThat(CODECS).allSatisfy(NullKeysTest::refusesNull);
  }

  private static <K, V> void refusesNull(KeyCodec<K, V> codec) {
    refuses(codec, () -> codec.apply(null));
    refuses(codec, () -> codec.decode(null));
  }

  private static void refuses(KeyFunction<?, ?> function, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as("%s", function)
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("a key, or a part of one, must not be null");
  }

  @Test
  void everyOtherFunctionRefusesIt() {
    List<KeyFunction<?, ?>> functions =
        List.of(
            Shards.farmFingerprint(64),
            TimeBuckets.of(4, ChronoUnit.SECONDS),
            CompositeKey.<String>builder().part("k", String::length).build());
    assertThat(functions).allSatisfy(function -> refuses(function, () -> function.apply(null)));
  }

  @Test
  void aStreamEndsWithTheReason() {
    TimeBuckets buckets = TimeBuckets.of(4, ChronoUnit.SECONDS);
    Flux.just("row")
        .transform(buckets.assign(row -> null, (row, bucket) -> bucket))
        .as(StepVerifier::create)
        .verifyError(KeyFormatException.class);
  }
}
