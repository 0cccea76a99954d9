package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a store must do when values are reserved. */
abstract class ReservationContract extends ContractFixture {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 7, 100, 1_000})
  void aReservationHasExactlyTheValuesAskedFor(long size) {
    SequenceBlock block = reserve(newSequence(1), size);

    assertThat(block.size()).isEqualTo(size);
    assertThat(valuesOf(block)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 0, -1, -1_000, 5_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE - 100})
  void theFirstValueIsTheStartValue(long startValue) {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String sequence = newSequence(startValue);

    assertThat(valuesOf(reserve(sequence, 3))).isEqualTo(run(startValue, 3));
    assertThat(valuesOf(reserve(sequence, 2))).isEqualTo(run(startValue + 3, 2));
  }

  @Test
  void laterReservationsHaveOtherValues() {
    String sequence = newSequence(1);
    List<Long> values = new ArrayList<>();
    for (long size : new long[] {3, 1, 10, 1, 5}) {
      values.addAll(valuesOf(reserve(sequence, size)));
    }

    assertThat(values).hasSize(20).doesNotHaveDuplicates();
    if (store().isOrdered()) {
      assertThat(values).isSorted();
    }
  }

  @Test
  void reservationsOfTwoStoresOnOneCounterHaveOtherValues() {
    String sequence = newSequence(1);
    SequenceStore one = store();
    SequenceStore other = anotherStore();
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      values.addAll(valuesOf(answer(one.reserve(sequence, 3))));
      values.addAll(valuesOf(answer(other.reserve(sequence, 2))));
    }

    assertThat(values).hasSize(25).doesNotHaveDuplicates();
    if (one.isOrdered()) {
      assertThat(values).isSorted();
    }
  }

  @Test
  void sequencesDoNotShareACounter() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String one = newSequence(1);
    String other = newSequence(1);

    assertThat(valuesOf(reserve(one, 2))).containsExactly(1L, 2L);
    assertThat(valuesOf(reserve(other, 2))).containsExactly(1L, 2L);
    assertThat(valuesOf(reserve(one, 2))).containsExactly(3L, 4L);
  }

  @Test
  void nothingHappensBeforeSubscription() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String sequence = newSequence(1);
    String uncreated = newName("uncreated");
    SequenceBlock block = reserve(sequence, 5);

    Mono<SequenceBlock> reservation = store().reserve(sequence, 5);
    Mono<Boolean> release = store().release(sequence, block);
    Mono<Void> creation = store().create(uncreated, 1);

    assertThat(nextValue(sequence)).isEqualTo(6);
    assertThatThrownBy(() -> nextValue(uncreated)).isInstanceOf(SequenceNotFoundException.class);
    assertThat(valuesOf(answer(reservation))).isEqualTo(run(6, 5));
    assertThat(answer(release)).isFalse();
    await(creation);
    assertThat(nextValue(uncreated)).isEqualTo(1);
  }

  @Test
  void eachSubscriptionIsAReservationOfItsOwn() {
    Mono<SequenceBlock> reservation = store().reserve(newSequence(1), 4);
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      values.addAll(valuesOf(answer(reservation)));
    }

    assertThat(values).hasSize(12).doesNotHaveDuplicates();
  }

  @Test
  void concurrentReservationsShareNoValueAndLeaveNoGap() {
    String sequence = newSequence(1);
    SequenceStore one = store();
    SequenceStore other = anotherStore();
    int reservations = 4 * CONCURRENCY;

    List<SequenceBlock> blocks =
        answer(
            Flux.range(0, reservations)
                .flatMap(
                    i ->
                        (i % 2 == 0 ? one : other)
                            .reserve(sequence, 1 + i % 7)
                            .subscribeOn(Schedulers.parallel()),
                    CONCURRENCY)
                .collectList());

    assertThat(blocks).hasSize(reservations);
    List<Long> values =
        blocks.stream().flatMap(block -> valuesOf(block).stream()).sorted().toList();
    assertThat(values).doesNotHaveDuplicates();
    if (one.isOrdered()) {
      assertThat(values).isEqualTo(run(1, values.size()));
    }
  }

  @Test
  void aReservationAskedForAfterAnotherWasAnsweredIsGreater() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String sequence = newSequence(1);

    List<List<Long>> chains =
        answer(
            Flux.range(0, 4)
                .flatMap(
                    chain ->
                        Mono.defer(
                                () ->
                                    (chain % 2 == 0 ? store() : anotherStore())
                                        .reserve(sequence, 2))
                            .subscribeOn(Schedulers.parallel())
                            .repeat(9)
                            .concatMapIterable(ContractFixture::valuesOf)
                            .collectList())
                .collectList());

    assertThat(chains).hasSize(4);
    assertThat(chains).allSatisfy(chain -> assertThat(chain).hasSize(20).isSorted());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aReservationOfNothingIsRefused(long size) {
    String sequence = newSequence(1);
    Mono<SequenceBlock> reservation = store().reserve(sequence, size);

    assertThatThrownBy(() -> await(reservation))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(size));
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(1);
    }
  }

  @Test
  void aReservationOfAMissingSequenceNamesItAndSaysWhatToDo() {
    String missing = newName("missing");

    assertThatThrownBy(() -> reserve(missing, 1))
        .isInstanceOfSatisfying(
            SequenceNotFoundException.class,
            error -> {
              assertThat(error.sequence()).isEqualTo(missing);
              assertThat(error.isPermanent()).isTrue();
            })
        .hasMessageContaining(missing)
        .hasMessageContaining("create");
  }

  @Test
  void theStateOfAMissingSequenceIsTheSameError() {
    String missing = newName("missing");

    assertThatThrownBy(() -> nextValue(missing))
        .isInstanceOfSatisfying(
            SequenceNotFoundException.class,
            error -> assertThat(error.sequence()).isEqualTo(missing));
  }

  @Test
  void aSequenceThatWasMissingWorksOnceItIsCreated() {
    String late = newName("late");
    assertThatThrownBy(() -> reserve(late, 1)).isInstanceOf(SequenceNotFoundException.class);

    await(store().create(late, 1));

    assertThat(reserve(late, 1).size()).isEqualTo(1);
  }

  private static ReservationRequest creating(String sequence, long size, long startValue) {
    return new ReservationRequest(sequence, size, startValue);
  }

  @Test
  void aReservationThatSaysSoCreatesAMissingSequenceAndKeepsOneThatExists() {
    String sequence = newName("missing");
    List<Long> values = new ArrayList<>();
    for (long startValue : new long[] {41, 41, 1_000}) {
      values.addAll(valuesOf(answer(store().reserve(creating(sequence, 3, startValue)))));
    }

    assertThat(values).hasSize(9).doesNotHaveDuplicates();
    if (store().isOrdered()) {
      assertThat(values).isEqualTo(run(41, 9));
    }
  }

  @Test
  void concurrentReservationsOfAMissingSequenceCreateItOnce() {
    String sequence = newName("created");
    SequenceStore one = store();
    SequenceStore other = anotherStore();

    List<Long> values =
        answer(
            Flux.range(0, CONCURRENCY)
                .flatMap(
                    i ->
                        (i % 2 == 0 ? one : other)
                            .reserve(creating(sequence, 2, 1))
                            .subscribeOn(Schedulers.parallel()),
                    CONCURRENCY)
                .flatMapIterable(ContractFixture::valuesOf)
                .sort()
                .collectList());

    assertThat(values).hasSize(2 * CONCURRENCY).doesNotHaveDuplicates();
    if (one.isOrdered()) {
      assertThat(values).isEqualTo(run(1, values.size()));
    }
  }
}
