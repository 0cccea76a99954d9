package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The shutdown: who is told, what it waits for, and what goes back to the store. */
class DisposalTest {

  private static final Duration LATENCY = Duration.ofMillis(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);
  private final List<Long> seen = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();
  private final List<String> done = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void failsWaitersAndLaterSubscribers(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").scheduler(time).build();
    generator.next().subscribe(seen::add, errors::add);
    generator.values().subscribe(seen::add, errors::add);
    generator.next(3).subscribe(seen::addAll, errors::add);
    generator.dispose();
    assertThat(generator.isDisposed()).isTrue();
    assertThat(errors).hasSize(3);
    generator.next().subscribe(seen::add, errors::add);
    generator.warmup().subscribe(nothing -> {}, errors::add);
    time.advanceTimeBy(LATENCY);
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(LATENCY);
    assertThat(errors)
        .hasSize(6)
        .allSatisfy(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceDisposedException.class)
                    .hasMessageContaining("'s'"));
    assertThat(seen).isEmpty();
  }

  @Test
  void theEndOfTheNewestBlockGoesBackAndTheNextGeneratorGoesOnFromThere() {
    SequenceGenerator generator = batch(100);
    generator.values().take(30).subscribe(seen::add);
    time.advanceTimeBy(LATENCY);
    disposeAndWait(generator);
    assertThat(nextOfAnother()).isEqualTo(31);
    assertThat(store.releases()).isEqualTo(1);
  }

  @Test
  void aBlockReservedAheadGoesBackTogetherWithTheOneBeforeIt() {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .blockSize(100)
            .lowWatermark(50)
            .scheduler(time)
            .build();
    generator.values().take(60).subscribe(seen::add);
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(generator.snapshot().buffered()).isEqualTo(140);
    disposeAndWait(generator);
    assertThat(nextOfAnother()).isEqualTo(61);
  }

  @Test
  void nothingGoesBackOnceAnotherHasReserved() {
    SequenceGenerator generator = batch(100);
    generator.next().subscribe(seen::add);
    time.advanceTimeBy(LATENCY);
    assertThat(nextOfAnother()).isEqualTo(101);
    disposeAndWait(generator);
    assertThat(nextOfAnother()).as("the other's values were not taken back").isEqualTo(1_101);
  }

  @Test
  void aReservationInFlightIsWaitedForAndGoesBackWhole() {
    SequenceGenerator generator = batch(100);
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(LATENCY.dividedBy(2));
    generator.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    assertThat(errors).as("the waiter is told at once").hasSize(1);
    assertThat(done).isEmpty();
    assertThat(store.releases()).isZero();
    time.advanceTimeBy(LATENCY);
    assertThat(store.releases()).isEqualTo(1);
    time.advanceTimeBy(LATENCY);
    assertThat(done).containsExactly("done");
    assertThat(nextOfAnother()).isEqualTo(1);
  }

  @Test
  void aReservationThatHangsHoldsTheShutdownUpForItsTimeoutOnly() {
    store.hangNextReservations(1);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .reservationTimeout(Duration.ofSeconds(2))
            .scheduler(time)
            .build();
    generator.next().subscribe(seen::add, errors::add);
    generator.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(done).containsExactly("done");
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(store.reservations()).as("and is not retried").isEqualTo(1);
  }

  @Test
  void aBackoffIsNotWaitedFor() {
    store.startOutage(new IOException("down"));
    SequenceGenerator generator = batch(10);
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(LATENCY);
    disposeAndWait(generator);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(store.reservations()).isEqualTo(1);
  }

  @Test
  void aReleaseIsSentOnceEvenIfItsAnswerIsLost() {
    SequenceGenerator generator = batch(100);
    generator.values().take(30).subscribe(seen::add);
    time.advanceTimeBy(LATENCY);
    store.loseNextReleaseAnswers(1, new IOException("connection reset"));
    disposeAndWait(generator);
    assertThat(nextOfAnother()).as("another takes exactly these").isEqualTo(31);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(store.releases()).isEqualTo(1);
    assertThat(nextOfAnother()).isEqualTo(1_031);
  }

  @Test
  void aClaimBeingIssuedIsNotGivenBackAndIsIssuedToItsEnd() {
    SequenceGenerator generator = batch(1_000);
    generator
        .values()
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnNext(Long value) {
                seen.add(value);
                if (value == 5) {
                  generator.dispose();
                }
              }

              @Override
              protected void hookOnError(Throwable error) {
                errors.add(error);
              }
            });
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0)).isInstanceOf(SequenceDisposedException.class);
    long next = nextOfAnother();
    assertThat(seen).isNotEmpty().allMatch(value -> value < next).isSorted();
  }

  @Test
  void issuesNoBufferedValueWhileTheShutdownWaitsForAReservation() {
    HeldStore held = new HeldStore();
    SequenceGenerator closing =
        SequenceGenerator.builder(held, "s")
            .blockSize(10)
            .lowWatermark(5)
            .scheduler(new InlineScheduler())
            .build();
    closing.next(5).subscribe(seen::addAll); // the next block is on its way
    held.answer();
    assertThat(seen).hasSize(5);
    closing.dispose();
    closing.next().subscribe(seen::add, errors::add);
    assertThat(closing.snapshot().reservationInFlight()).isTrue();
    assertThat(seen).hasSize(5);
    assertThat(errors).singleElement().isInstanceOf(SequenceDisposedException.class);
  }

  @Test
  void everySubscriberOfTheShutdownIsTold() {
    SequenceGenerator generator = batch(10);
    generator.next().subscribe(seen::add);
    time.advanceTimeBy(LATENCY);
    var shutdown = generator.disposeLater();
    assertThat(generator.isDisposed()).as("before the first subscription").isFalse();
    shutdown.subscribe().dispose();
    assertThat(generator.isDisposed()).isTrue();
    shutdown.subscribe(nothing -> {}, errors::add, () -> done.add("second"));
    time.advanceTimeBy(LATENCY);
    shutdown.subscribe(nothing -> {}, errors::add, () -> done.add("third"));
    assertThat(done).containsExactly("second", "third");
    assertThat(store.releases()).isEqualTo(1);
  }

  @Test
  void aGeneratorThatWasNeverUsedNeedsNoStore() {
    disposeAndWait(batch(10));
    assertThat(store.reservations() + store.releases()).isZero();
  }

  private SequenceGenerator batch(long size) {
    return SequenceGenerator.builder(store, "s").blockSize(size).scheduler(time).build();
  }

  private void disposeAndWait(SequenceGenerator generator) {
    generator.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(done).containsExactly("done");
    assertThat(errors).doesNotHaveAnyElementsOfTypes(AssertionError.class);
  }

  private long nextOfAnother() {
    List<Long> taken = new ArrayList<>();
    batch(1_000).next().subscribe(taken::add);
    time.advanceTimeBy(LATENCY);
    assertThat(taken).hasSize(1);
    return taken.get(0);
  }
}
