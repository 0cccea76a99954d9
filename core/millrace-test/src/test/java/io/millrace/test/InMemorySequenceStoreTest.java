package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class InMemorySequenceStoreTest {

  private final IOException reset = new IOException("connection reset");

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("x", 1);

  private long nextValue() {
    SequenceState state = store.state("x").block();
    assertThat(state).isNotNull();
    return Objects.requireNonNull(state).nextValue();
  }

  @Test
  void withoutLatencyTheAnswerComesOnTheSubscribingThreadBeforeSubscribeReturns() {
    AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    store.reserve("x", 3).subscribe(block -> thread.set(Thread.currentThread()));

    assertThat(thread).hasValue(Thread.currentThread());
  }

  @Test
  void withLatencyTheCounterMovesWhenTheAnswerComes() {
    StepVerifier.withVirtualTime(() -> store.latency(Duration.ofMillis(5)).reserve("x", 3))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(4))
        .thenAwait(Duration.ofMillis(1))
        .expectNext(SequenceBlock.of(1, 3))
        .verifyComplete();
    assertThat(store.latency(Duration.ZERO).state("x").block())
        .isEqualTo(new SequenceState("x", 4));
  }

  @Test
  void theLatencyPassesOnTheSchedulerGiven() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    store.latency(Duration.ofSeconds(1), time);

    StepVerifier.create(store.reserve("x", 3))
        .expectSubscription()
        .then(() -> time.advanceTimeBy(Duration.ofSeconds(1)))
        .expectNext(SequenceBlock.of(1, 3))
        .verifyComplete();
  }

  @Test
  void aRequestCancelledBeforeItsLatencyHasPassedHasNoEffect() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    store.latency(Duration.ofSeconds(1), time);

    store.reserve("x", 3).subscribe().dispose();
    time.advanceTimeBy(Duration.ofSeconds(2));

    store.latency(Duration.ZERO);
    assertThat(nextValue()).isEqualTo(1);
    assertThat(store.reservations()).isEqualTo(1);
  }

  @Test
  void aNegativeLatencyIsRefused() {
    assertThatThrownBy(() -> store.latency(Duration.ofMillis(-1), Schedulers.parallel()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S");
  }

  @Test
  void scriptedReservationsFailAndTheNextOneSucceeds() {
    store.failNextReservations(2, reset);

    StepVerifier.create(store.reserve("x", 5)).verifyErrorMatches(reset::equals);
    StepVerifier.create(store.reserve("x", 5)).verifyErrorMatches(reset::equals);
    StepVerifier.create(store.reserve("x", 5)).expectNext(SequenceBlock.of(1, 5)).verifyComplete();
    assertThat(store.reservations()).isEqualTo(3);
  }

  @Test
  void aScriptedReservationHangsWithoutMovingTheCounter() {
    store.hangNextReservations(1);

    StepVerifier.withVirtualTime(() -> store.reserve("x", 5))
        .expectSubscription()
        .expectNoEvent(Duration.ofDays(1))
        .thenCancel()
        .verify();
    assertThat(nextValue()).isEqualTo(1);
  }

  @Test
  void anAbortedReservationIsTriedAgainByTheStore() {
    store.abortNextReservations(3);

    StepVerifier.withVirtualTime(() -> store.latency(Duration.ofMillis(5)).reserve("x", 5))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(19))
        .thenAwait(Duration.ofMillis(1))
        .expectNext(SequenceBlock.of(1, 5))
        .verifyComplete();
    assertThat(store.aborts()).isEqualTo(3);
    assertThat(store.reservations()).isEqualTo(1);
  }

  @Test
  void aReservationWhoseAnswerIsLostHasMovedTheCounter() {
    store.loseNextReservationAnswers(1, reset);

    StepVerifier.create(store.reserve("x", 5)).verifyErrorMatches(reset::equals);
    assertThat(nextValue()).isEqualTo(6);
  }

  @Test
  void faultsHappenInTheOrderTheyWereScripted() {
    store
        .abortNextReservations(1)
        .failNextReservations(1, reset)
        .loseNextReservationAnswers(1, reset);

    StepVerifier.create(store.reserve("x", 5)).verifyErrorMatches(reset::equals);
    assertThat(nextValue()).isEqualTo(1);
    assertThat(store.aborts()).isEqualTo(1);
    StepVerifier.create(store.reserve("x", 5)).verifyErrorMatches(reset::equals);
    assertThat(nextValue()).isEqualTo(6);
  }

  @Test
  void aScriptedReleaseFailsOrHangsWithoutMovingTheCounter() {
    SequenceBlock block = SequenceBlock.of(1, 5);
    store.reserve("x", 5).block();
    store.failNextReleases(1, reset).hangNextReleases(1);

    StepVerifier.create(store.release("x", block)).verifyErrorMatches(reset::equals);
    store.release("x", block).subscribe(answer -> assertThat(answer).isNull()).dispose();
    assertThat(nextValue()).isEqualTo(6);
    StepVerifier.create(store.release("x", block)).expectNext(true).verifyComplete();
    assertThat(store.releases()).isEqualTo(3);
  }

  @Test
  void aReleaseWhoseAnswerIsLostHasMovedTheCounter() {
    store.reserve("x", 5).block();
    store.loseNextReleaseAnswers(1, reset);

    StepVerifier.create(store.release("x", SequenceBlock.of(3, 3)))
        .verifyErrorMatches(reset::equals);
    assertThat(nextValue()).isEqualTo(3);
  }

  @Test
  void anOutageFailsEveryKindOfRequestUntilItEnds() {
    store.startOutage(reset);

    StepVerifier.create(store.reserve("x", 1)).verifyErrorMatches(reset::equals);
    StepVerifier.create(store.release("x", SequenceBlock.of(1, 1)))
        .verifyErrorMatches(reset::equals);
    StepVerifier.create(store.create("y", 1)).verifyErrorMatches(reset::equals);
    StepVerifier.create(store.state("x")).verifyErrorMatches(reset::equals);
    StepVerifier.create(store.advanceTo("x", 9)).verifyErrorMatches(reset::equals);

    store.endOutage();
    assertThat(nextValue()).isEqualTo(1);
    StepVerifier.create(store.state("y")).verifyError(SequenceNotFoundException.class);
  }

  @Test
  void anOutageThatBeginsWhileARequestIsUnderWayFailsIt() {
    StepVerifier.withVirtualTime(() -> store.latency(Duration.ofMillis(5)).reserve("x", 3))
        .expectSubscription()
        .then(() -> store.startOutage(reset))
        .thenAwait(Duration.ofMillis(5))
        .verifyErrorMatches(reset::equals);
  }

  @Test
  void aCounterAdvancesAndNeverMovesBack() {
    StepVerifier.create(
            Flux.concat(store.advanceTo("x", 100), store.advanceTo("x", 50), store.state("x")))
        .expectNext(new SequenceState("x", 100), new SequenceState("x", 100))
        .expectNext(new SequenceState("x", 100))
        .verifyComplete();
    StepVerifier.create(store.advanceTo("missing", 1)).verifyError(SequenceNotFoundException.class);
  }

  @Test
  void anUnconnectedListOfValuesIsNotGivenBack() {
    store.reserve("x", 2).block();

    StepVerifier.create(store.release("x", SequenceBlock.ofValues(1, 2)))
        .expectNext(false)
        .verifyComplete();
  }

  @Test
  void theErrorOfAMissingSequenceSaysWhatToCall() {
    StepVerifier.create(store.reserve("y", 1))
        .verifyErrorMessage(
            "sequence 'y' was not found in this in-memory store; create it: create(\"y\", 1)");
  }

  @Test
  void aScriptOfFewerThanNoAttemptsIsRefused() {
    assertThatThrownBy(() -> store.hangNextReservations(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
