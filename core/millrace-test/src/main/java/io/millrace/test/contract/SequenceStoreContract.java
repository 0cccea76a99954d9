package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The contract of {@link SequenceStore}, on any database, as JUnit tests. Extend this class and
 * implement {@link #store}.
 *
 * <p>The checks depend on {@link SequenceStore#isOrdered()} and {@link
 * SequenceStore#isReleasable()}. An ordered store is expected to have one counter for a sequence,
 * so its blocks follow one another without a gap while nothing fails. For a store that is not
 * ordered, only uniqueness is checked: its values may be in any order, a release may succeed
 * although others reserved meanwhile, and released values may be reserved again later.
 *
 * <p>No test depends on timing. Waits have a limit only to fail a store that never answers.
 */
public abstract class SequenceStoreContract extends ReleaseContract {

  /**
   * Returns whether the name of a sequence may contain any character.
   *
   * @return true by default; false for a store whose names are identifiers of its database
   */
  protected boolean takesAnyName() {
    return true;
  }

  @Test
  void creatingASequenceAgainKeepsItsCounter() {
    String sequence = newSequence(1);
    List<Long> before = valuesOf(reserve(sequence, 5));

    await(store().create(sequence, 1));
    await(anotherStore().create(sequence, 1_000));

    assertThat(valuesOf(reserve(sequence, 5))).doesNotContainAnyElementsOf(before);
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(11);
    }
  }

  @Test
  void aSequenceThatWouldHaveNoValueIsNotCreated() {
    String sequence = newName("none");

    assertThatThrownBy(() -> await(store().create(sequence, Long.MAX_VALUE)))
        .isInstanceOfSatisfying(
            SequenceExhaustedException.class,
            error -> {
              assertThat(error.sequence()).isEqualTo(sequence);
              assertThat(error.nextValue()).isEqualTo(Long.MAX_VALUE);
              assertThat(error.limit()).isEqualTo(SequenceState.LARGEST_VALUE);
              assertThat(error.isPermanent()).isTrue();
            })
        .hasMessageContaining(Long.toString(Long.MAX_VALUE))
        .hasMessageContaining(Long.toString(SequenceState.LARGEST_VALUE));
    assertThatThrownBy(() -> reserve(sequence, 1)).isInstanceOf(SequenceNotFoundException.class);
  }

  @Test
  void everyOneOfSeveralConcurrentCreationsSucceeds() {
    String sequence = newName("race");

    await(
        Flux.range(0, CONCURRENCY)
            .flatMap(
                i ->
                    (i % 2 == 0 ? store() : anotherStore())
                        .create(sequence, 1)
                        .subscribeOn(Schedulers.parallel()),
                CONCURRENCY)
            .then());

    assertThat(reserve(sequence, 2).size()).isEqualTo(2);
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(3);
    }
  }

  @Test
  void readingTheStateDoesNotMoveTheCounter() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String sequence = newSequence(10);
    reserve(sequence, 5);

    assertThat(answer(store().state(sequence))).isEqualTo(new SequenceState(sequence, 15));
    assertThat(answer(anotherStore().state(sequence))).isEqualTo(new SequenceState(sequence, 15));
    assertThat(reserve(sequence, 1).first()).isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 7, 1_000_000, Long.MAX_VALUE})
  void aReservationThatDoesNotFitIsRefusedAndMovesNothing(long size) {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    long start = Long.MAX_VALUE - 5;
    String sequence = newSequence(start);

    assertThatThrownBy(() -> reserve(sequence, size))
        .isInstanceOfSatisfying(
            SequenceExhaustedException.class,
            error -> {
              assertThat(error.sequence()).isEqualTo(sequence);
              assertThat(error.nextValue()).isEqualTo(start);
              assertThat(error.limit()).isEqualTo(Long.MAX_VALUE - 1);
            });
    assertThat(nextValue(sequence)).isEqualTo(start);
  }

  @Test
  void theLastValuesOfTheRangeCanBeReserved() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String sequence = newSequence(Long.MAX_VALUE - 5);

    assertThat(valuesOf(reserve(sequence, 5))).isEqualTo(run(Long.MAX_VALUE - 5, 5));
    assertThatThrownBy(() -> reserve(sequence, 1)).isInstanceOf(SequenceExhaustedException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, 9, 10, 11, 1_000_000, Long.MAX_VALUE})
  void aCounterAdvancesAndNeverMovesBack(long nextValue) {
    String sequence = newSequence(10);
    SequenceState moved = new SequenceState(sequence, Math.max(10, nextValue));
    for (int request = 0; request < 2; request++) {
      assertThat(answer(supported(store().advanceTo(sequence, nextValue)))).isEqualTo(moved);
    }
    assertThat(answer(anotherStore().state(sequence))).isEqualTo(moved);
  }

  @Test
  void aMissingSequenceIsNotAdvanced() {
    String sequence = newName("missing");
    assertThatThrownBy(() -> answer(store().advanceTo(sequence, 10)))
        .isInstanceOfAny(SequenceNotFoundException.class, UnsupportedOperationException.class);
  }

  /** Skips the test if the store cannot do what was requested. */
  private static <T> Mono<T> supported(Mono<T> request) {
    return request.doOnError(
        UnsupportedOperationException.class,
        cannot -> assumeTrue(false, "the store cannot do this: " + cannot.getMessage()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space",
        "sl/ash",
        "dot.ted",
        "quo'te",
        "double\"quote",
        "back`tick",
        "back\\slash",
        "per%cent",
        "'; DROP TABLE sequences; --",
        "naïve-Ærøskøbing",
        "数列",
        "gear-\uD83D\uDE80",
        "CASE",
        "case"
      })
  void aNameMayHaveAnyCharacters(String hint) {
    assumeTrue(takesAnyName(), "the database limits the names of sequences");
    String sequence = newName(hint);
    await(store().create(sequence, 1));

    SequenceBlock block = reserve(sequence, 2);

    assertThat(block.size()).isEqualTo(2);
    assertThat(answer(store().state(sequence)).name()).isEqualTo(sequence);
    if (store().isReleasable()) {
      assertThat(answer(store().release(sequence, block))).isTrue();
    }
  }

  @Test
  void namesThatDifferInCaseAreDifferentSequences() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
    String lower = newName("case").toLowerCase(Locale.ROOT);
    String upper = lower.toUpperCase(Locale.ROOT);
    await(store().create(lower, 1));
    await(store().create(upper, 100));

    assertThat(reserve(lower, 1).first()).isEqualTo(1);
    assertThat(reserve(upper, 1).first()).isEqualTo(100);
  }
}
