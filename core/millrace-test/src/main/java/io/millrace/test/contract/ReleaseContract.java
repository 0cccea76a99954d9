package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a store must do when values are released. */
abstract class ReleaseContract extends ReservationContract {

  /** After this many reservations, an unordered store must have issued again what was released. */
  private static final int PATIENCE = 500;

  /**
   * Arranges that the next release of {@link #store()} takes effect and its answer is lost: {@code
   * meanwhile} completes before the store notices the broken connection.
   *
   * @param meanwhile the actions of other processes before the store notices the failure
   * @return a store that will lose the answer, or null to skip the test
   */
  protected @Nullable SequenceStore storeThatLosesNextReleaseAnswer(Mono<?> meanwhile) {
    return null;
  }

  @Test
  void aStoreThatCannotReleaseAnswersFalseAndKeepsItsCounter() {
    assumeTrue(!store().isReleasable(), "the store releases values");
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 5);

    assertThat(answer(store().release(sequence, block))).isFalse();
    assertThat(valuesOf(reserve(sequence, 5))).doesNotContainAnyElementsOf(valuesOf(block));
  }

  @Test
  void valuesGivenBackAreReservedAgain() {
    assumeTrue(store().isReleasable(), "the store takes no values back");
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    assertThat(answer(store().release(sequence, block))).isTrue();
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(1);
      assertThat(valuesOf(reserve(sequence, 10))).isEqualTo(valuesOf(block));
    } else {
      reserveUntilGiven(sequence, valuesOf(block));
    }
  }

  @Test
  void theTailOfABlockCanBeGivenBack() {
    assumeTrue(store().isReleasable(), "the store takes no values back");
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    assertThat(answer(store().release(sequence, block.slice(6, 10)))).isTrue();
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(7);
      assertThat(reserve(sequence, 1).first()).isEqualTo(7);
    } else {
      assertThat(reserveUntilGiven(sequence, valuesOf(block.slice(6, 10))))
          .as("the values that were kept")
          .doesNotContainAnyElementsOf(valuesOf(block.slice(0, 6)));
    }
  }

  @Test
  void valuesThatAnotherReservationFollowsAreNotGivenBack() {
    assumeTrue(
        store().isReleasable() && store().isOrdered(),
        "the store is not ordered, or takes no values back");
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);
    answer(anotherStore().reserve(sequence, 1));

    assertThat(answer(store().release(sequence, block))).isFalse();
    assertThat(nextValue(sequence)).isEqualTo(12);
  }

  @Test
  void aReleaseTakesNothingBackFromOthers() {
    assumeTrue(store().isReleasable(), "the store takes no values back");
    String sequence = newSequence(1);
    List<SequenceBlock> mine = new ArrayList<>();
    List<Long> theirs = new ArrayList<>();
    for (int i = 0; i < CONCURRENCY; i++) {
      mine.add(reserve(sequence, 3));
      theirs.addAll(valuesOf(answer(anotherStore().reserve(sequence, 2))));
    }

    mine.forEach(block -> answer(store().release(sequence, block)));
    List<Long> later = new ArrayList<>();
    for (int i = 0; i < 2 * CONCURRENCY; i++) {
      later.addAll(valuesOf(reserve(sequence, 5)));
    }

    assertThat(theirs).hasSize(2 * CONCURRENCY).doesNotHaveDuplicates();
    assertThat(later).doesNotHaveDuplicates().doesNotContainAnyElementsOf(theirs);
  }

  @Test
  void aPartThatIsNotTheTailIsNotGivenBack() {
    assumeTrue(store().isReleasable(), "the store takes no values back");
    String sequence = newSequence(1);
    SequenceBlock block = reserve(sequence, 10);

    assertThat(answer(store().release(sequence, block.slice(0, 9)))).isFalse();
    assertThat(answer(store().release(sequence, block.slice(3, 5)))).isFalse();
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(11);
    }
  }

  @Test
  void valuesAreGivenBackOnce() {
    assumeTrue(store().isReleasable(), "the store takes no values back");
    String sequence = newSequence(1);
    SequenceBlock tail = reserve(sequence, 10).slice(4, 10);
    Mono<Boolean> release = store().release(sequence, tail);

    assertThat(answer(release)).isTrue();
    assertThat(answer(release)).isFalse();
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(5);
    }
  }

  @Test
  void concurrentReleasesOfOneBlockGiveItBackOnce() {
    assumeTrue(store().isReleasable(), "the store takes no values back");
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
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(1);
    }
  }

  @Test
  void aReleaseWhoseAnswerIsLostIsNotSentAgain() {
    assumeTrue(store().isOrdered(), "the store is not ordered");
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

    assertThat(taken).as("another process took exactly the values released").containsExactly(tail);
    assertThat(nextValue(sequence)).as("and they were not taken back from it").isEqualTo(11);
    assertThat(reserve(sequence, 1).first()).isEqualTo(11);
  }

  /**
   * Reserves as many values at a time as are wanted, until the wanted values are among them. No
   * value may come twice.
   */
  private List<Long> reserveUntilGiven(String sequence, List<Long> wanted) {
    List<Long> given = new ArrayList<>();
    for (int i = 0; i < PATIENCE && !given.containsAll(wanted); i++) {
      given.addAll(valuesOf(reserve(sequence, wanted.size())));
    }
    assertThat(given).doesNotHaveDuplicates().containsAll(wanted);
    return given;
  }
}
