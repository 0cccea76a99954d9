package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a store must do when values are given back. */
abstract class ReleaseContract extends ReservationContract {

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
