package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class BitReversalTest {

  @Property
  void eachIsItsOwnInverse(@ForAll long value) {
    for (BitReversal reversal : BitReversal.values()) {
      assertThat(reversal.decode(reversal.apply(value))).isEqualTo(value);
    }
  }

  @Property
  void theSignStaysWherePreserved(@ForAll long value) {
    assertThat(BitReversal.PRESERVING_SIGN.applyAsLong(value) < 0).isEqualTo(value < 0);
  }

  @Test
  void sequentialNumbersSpreadOverTheTopBitsBelowTheSign() {
    long[] counts = new long[16];
    long[] unreversed = new long[16];
    for (long value = 1_000_001; value <= 1_005_003; value++) {
      counts[(int) (BitReversal.PRESERVING_SIGN.applyAsLong(value) >>> 59)]++;
      unreversed[(int) (value >>> 59)]++;
    }
    ChiSquare.assertUniform(counts);
    ChiSquare.assertSkewed(unreversed);
  }

  @Test
  void aGeneratorMapsItsValues() {
    SequenceGenerator ids =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("id", 1), "id").build();
    StepVerifier.create(ids.map(BitReversal.PRESERVING_SIGN).values().take(3))
        .expectNext(1L << 62, 1L << 61, 3L << 61)
        .verifyComplete();
  }

  @Test
  void aFluxIsMappedOrAssigned() {
    StepVerifier.create(Flux.just(1L, 2L).map(BitReversal.ALL_BITS))
        .expectNext(Long.MIN_VALUE, 1L << 62)
        .verifyComplete();
    StepVerifier.create(
            Flux.just("1")
                .transform(
                    BitReversal.PRESERVING_SIGN.assign(Long::valueOf, (text, key) -> text + key)))
        .expectNext("14611686018427387904")
        .verifyComplete();
  }
}
