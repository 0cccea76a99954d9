package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What every {@link SequenceStore} must do, whatever keeps its counters. Extend it, say how a store
 * is made, and JUnit runs it.
 *
 * <p>What is checked follows what the store says of itself: {@link SequenceStore#isOrdered()} and
 * {@link SequenceStore#isReleasable()}. An ordered store is taken to have one counter for a
 * sequence, so its blocks follow one another without a gap while nothing fails.
 *
 * <p>Nothing here depends on how long an answer takes; a wait has an end only so that a store that
 * never answers fails.
 */
public abstract class SequenceStoreContract {

  private static final Duration GUARD = Duration.ofSeconds(30);

  /** How many reservations, or creations, run at once. */
  private static final int CONCURRENCY = 16;

  /**
   * The store under test.
   *
   * @return a store that works; the same one or a new one for each call
   */
  protected abstract SequenceStore store();

  /**
   * Another store on the same counters, as another process would have.
   *
   * @return by default {@link #store()}
   */
  protected SequenceStore anotherStore() {
    return store();
  }

  /**
   * Arranges that the next release of {@link #store()} takes effect, that {@code meanwhile} then
   * runs to its end, and that only then the store learns that the connection broke, in place of the
   * answer.
   *
   * @param meanwhile what others do before the failure is noticed
   * @return a store that will lose the answer, or null if this test cannot arrange it; the test is
   *     then skipped
   */
  protected @Nullable SequenceStore storeThatLosesNextReleaseAnswer(Mono<?> meanwhile) {
    return null;
  }

  /**
   * A name nobody uses yet.
   *
   * @param hint what the name is to end in
   * @return a new name
   */
  protected String newName(String hint) {
    return "contract-" + UUID.randomUUID() + "-" + hint;
  }

  private String newSequence(long startValue) {
    String sequence = newName("seq");
    await(store().create(sequence, startValue));
    return sequence;
  }

  private static <T> @Nullable T await(Mono<T> mono) {
    return mono.block(GUARD);
  }

  private static <T> T answer(Mono<T> mono) {
    T value = await(mono);
    assertThat(value).as("the answer").isNotNull();
    return Objects.requireNonNull(value);
  }

  private SequenceBlock reserve(String sequence, long size) {
    return answer(store().reserve(sequence, size));
  }

  private long nextValue(String sequence) {
    return answer(store().state(sequence)).nextValue();
  }

  private static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  private static List<Long> run(long first, long size) {
    return LongStream.range(first, first + size).boxed().toList();
  }

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
    assumeTrue(store().isOrdered());
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
    assumeTrue(store().isOrdered());
    String one = newSequence(1);
    String other = newSequence(1);

    assertThat(valuesOf(reserve(one, 2))).containsExactly(1L, 2L);
    assertThat(valuesOf(reserve(other, 2))).containsExactly(1L, 2L);
    assertThat(valuesOf(reserve(one, 2))).containsExactly(3L, 4L);
  }

  @Test
  void nothingHappensBeforeSubscription() {
    assumeTrue(store().isOrdered());
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
    int reservations = 10 * CONCURRENCY;

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
    assumeTrue(store().isOrdered());
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
                            .concatMapIterable(SequenceStoreContract::valuesOf)
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
    assumeTrue(store().isOrdered());
    String sequence = newSequence(10);
    reserve(sequence, 5);

    assertThat(answer(store().state(sequence))).isEqualTo(new SequenceState(sequence, 15));
    assertThat(answer(anotherStore().state(sequence))).isEqualTo(new SequenceState(sequence, 15));
    assertThat(reserve(sequence, 1).first()).isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(longs = {6, 7, 1_000_000, Long.MAX_VALUE})
  void aReservationThatDoesNotFitIsRefusedAndMovesNothing(long size) {
    assumeTrue(store().isOrdered());
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
    assumeTrue(store().isOrdered());
    String sequence = newSequence(Long.MAX_VALUE - 5);

    assertThat(valuesOf(reserve(sequence, 5))).isEqualTo(run(Long.MAX_VALUE - 5, 5));
    assertThatThrownBy(() -> reserve(sequence, 1)).isInstanceOf(SequenceExhaustedException.class);
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
    String sequence = newName(hint);
    await(store().create(sequence, 1));

    SequenceBlock block = reserve(sequence, 2);

    assertThat(block.size()).isEqualTo(2);
    assertThat(answer(store().state(sequence)).sequence()).isEqualTo(sequence);
    if (store().isReleasable()) {
      assertThat(answer(store().release(sequence, block))).isTrue();
    }
  }

  @Test
  void namesThatDifferInCaseAreDifferentSequences() {
    assumeTrue(store().isOrdered());
    String lower = newName("case").toLowerCase(Locale.ROOT);
    String upper = lower.toUpperCase(Locale.ROOT);
    await(store().create(lower, 1));
    await(store().create(upper, 100));

    assertThat(reserve(lower, 1).first()).isEqualTo(1);
    assertThat(reserve(upper, 1).first()).isEqualTo(100);
  }

  @Test
  void aStoreThatCannotReleaseAnswersFalseAndKeepsItsCounter() {
    assumeTrue(!store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 5);

    assertThat(answer(store().release(sequence, block))).isFalse();
    assertThat(valuesOf(reserve(sequence, 5))).doesNotContainAnyElementsOf(valuesOf(block));
  }

  @Test
  void valuesGivenBackAreReservedAgain() {
    assumeTrue(store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    assertThat(answer(store().release(sequence, block))).isTrue();
    assertThat(nextValue(sequence)).isEqualTo(1);
    assertThat(valuesOf(reserve(sequence, 10))).isEqualTo(valuesOf(block));
  }

  @Test
  void theTailOfABlockCanBeGivenBack() {
    assumeTrue(store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    assertThat(answer(store().release(sequence, block.slice(6, 10)))).isTrue();
    assertThat(nextValue(sequence)).isEqualTo(7);
    assertThat(reserve(sequence, 1).first()).isEqualTo(7);
  }

  @Test
  void valuesThatAnotherReservationFollowsAreNotGivenBack() {
    assumeTrue(store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);
    answer(anotherStore().reserve(sequence, 1));

    assertThat(answer(store().release(sequence, block))).isFalse();
    assertThat(nextValue(sequence)).isEqualTo(12);
  }

  @Test
  void aPartThatIsNotTheTailIsNotGivenBack() {
    assumeTrue(store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    assertThat(answer(store().release(sequence, block.slice(0, 9)))).isFalse();
    assertThat(answer(store().release(sequence, block.slice(3, 5)))).isFalse();
    assertThat(nextValue(sequence)).isEqualTo(11);
  }

  @Test
  void valuesAreGivenBackOnce() {
    assumeTrue(store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock tail = reserve(sequence, 10).slice(4, 10);
    Mono<Boolean> release = store().release(sequence, tail);

    assertThat(answer(release)).isTrue();
    assertThat(answer(release)).isFalse();
    assertThat(nextValue(sequence)).isEqualTo(5);
  }

  @Test
  void concurrentReleasesOfOneBlockGiveItBackOnce() {
    assumeTrue(store().isReleasable());
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    List<Boolean> answers =
        answer(
            Flux.range(0, CONCURRENCY)
                .flatMap(
                    i ->
                        (i % 2 == 0 ? store() : anotherStore())
                            .release(sequence, block)
                            .subscribeOn(Schedulers.parallel()),
                    CONCURRENCY)
                .collectList());

    assertThat(answers).hasSize(CONCURRENCY).containsOnlyOnce(true);
    assertThat(nextValue(sequence)).isEqualTo(1);
  }

  @Test
  void aReleaseWhoseAnswerIsLostIsNotSentAgain() {
    String sequence = newSequence(1);
    SequenceBlock tail = reserve(sequence, 10).slice(4, 10);
    List<SequenceBlock> taken = new ArrayList<>();
    SequenceStore store =
        storeThatLosesNextReleaseAnswer(
            Mono.defer(() -> anotherStore().reserve(sequence, tail.size())).doOnNext(taken::add));
    assumeTrue(store != null, "this test cannot make the answer of a release get lost");

    assertThatThrownBy(() -> await(Objects.requireNonNull(store).release(sequence, tail)))
        .as("an unknown outcome is reported as an error")
        .isNotNull();

    assertThat(taken)
        .as("another process took exactly the values given back")
        .containsExactly(tail);
    assertThat(nextValue(sequence)).as("and they were not taken back from it").isEqualTo(11);
    assertThat(reserve(sequence, 1).first()).isEqualTo(11);
  }
}
