package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import io.millrace.SkippedValues;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** What a store must do when some values are to be skipped. It may refuse to. */
abstract class SkippingContract extends ContractFixture {

  private static final SkippedValues SKIPPED =
      SkippedValues.NONE.and(11, 20).and(25, 25).and(1_000, 50_000);

  private static ReservationRequest request(String sequence, long size) {
    return new ReservationRequest(sequence, size, null, SKIPPED);
  }

  private SequenceStore skippingStore() {
    assumeTrue(store().canSkip(), "the store cannot skip values");
    return store();
  }

  @Test
  void aStoreThatCannotSkipRefuses() {
    assumeTrue(!store().canSkip(), "the store can skip values");
    String sequence = newSequence(1);

    assertThatThrownBy(() -> await(store().reserve(request(sequence, 3))))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("11 to 20");
  }

  private static void assertNoneIsSkipped(List<Long> values) {
    assertThat(values).doesNotHaveDuplicates();
    assertThat(values).noneMatch(value -> SKIPPED.others(value, value).isEmpty());
  }

  @Test
  void noBlockContainsASkippedValue() {
    SequenceStore store = skippingStore();
    String sequence = newSequence(1);
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      SequenceBlock block = answer(store.reserve(request(sequence, 1 + i % 31)));
      assertThat(block.size()).isEqualTo(1 + i % 31);
      values.addAll(valuesOf(block));
    }
    assertNoneIsSkipped(values);
    assertThat(values).anyMatch(value -> value > 50_000);
    if (store.isOrdered()) {
      assertThat(values).isSorted();
    }
  }

  @Test
  void valuesAroundASkippedRangeAreNotLostIfABlockHasOne() {
    SequenceStore store = skippingStore();
    assumeTrue(store.isOrdered(), "the store is not ordered");
    String sequence = newSequence(9);
    List<Long> values =
        answer(
            Flux.range(0, 8)
                .concatMap(i -> store.reserve(request(sequence, 1)))
                .map(SequenceBlock::first)
                .collectList());
    assertThat(values).containsExactly(9L, 10L, 21L, 22L, 23L, 24L, 26L, 27L);
  }

  @Test
  void theEndOfABlockBehindASkippedRangeIsGivenBack() {
    SequenceStore store = skippingStore();
    assumeTrue(
        store.isOrdered() && store.isReleasable(), "the store is not ordered and releasable");
    String sequence = newSequence(9);
    assertThat(answer(store.reserve(request(sequence, 3)))).isEqualTo(SequenceBlock.of(21, 3));
    assertThat(answer(store.release(sequence, SequenceBlock.of(22, 2)))).isTrue();
    assertThat(answer(store.reserve(request(sequence, 1)))).isEqualTo(SequenceBlock.of(22, 1));
  }

  @Test
  void reservationsOfTwoStoresThatSkipTheSameHaveOtherValues() {
    SequenceStore one = skippingStore();
    SequenceStore other = anotherStore();
    String sequence = newSequence(1);
    List<Long> values =
        answer(
            Flux.range(0, 40)
                .flatMap(
                    i -> (i % 2 == 0 ? one : other).reserve(request(sequence, 1 + i % 4)),
                    CONCURRENCY / 4)
                .flatMapIterable(ContractFixture::valuesOf)
                .collectList());
    assertThat(values).hasSize(100);
    assertNoneIsSkipped(values);
  }

  @Test
  void aSequenceThatIsCreatedBeginsBehindASkippedRange() {
    SequenceStore store = skippingStore();
    ReservationRequest request = new ReservationRequest(newName("skipped"), 3, 1_000L, SKIPPED);
    assertThat(valuesOf(answer(store.reserve(request))))
        .hasSize(3)
        .allMatch(value -> value > 50_000);
  }
}
