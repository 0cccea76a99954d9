package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What happens while the store fails, and after. */
class OutageTest {

  private static final Duration MIN = Duration.ofMillis(100);
  private static final Duration MAX = Duration.ofSeconds(1);
  private static final Exception DOWN = new IOException("the database is down");

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);

  private SequenceGeneratorBuilder builder(Setting setting) {
    return setting.builder(store, "s").scheduler(time).backoff(MIN, MAX, 0, 3);
  }

  @ParameterizedTest
  @EnumSource
  void retriesAFailureThatPasses(Setting setting) {
    store.failNextReservations(2, DOWN);
    List<Long> seen = new ArrayList<>();
    builder(setting).build().next().subscribe(seen::add);
    assertThat(seen).isEmpty();
    time.advanceTimeBy(MIN.minusNanos(1));
    assertThat(store.reservations()).as("the delay has not passed").isEqualTo(1);
    time.advanceTimeBy(Duration.ofNanos(1));
    assertThat(store.reservations()).isEqualTo(2);
    time.advanceTimeBy(MIN.multipliedBy(2));
    assertThat(seen).containsExactly(1L);
  }

  @ParameterizedTest
  @EnumSource
  void failsEachWaiterOnceAndRecoversWithoutARestart(Setting setting) {
    store.startOutage(DOWN);
    SequenceGenerator generator = builder(setting).build();
    List<Throwable> errors = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      generator.next().subscribe(value -> {}, errors::add);
    }
    time.advanceTimeBy(MIN.multipliedBy(3));
    assertThat(errors).hasSize(10);
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceReservationException.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("3 attempts")
                    .hasCause(DOWN));
    assertThat(errors).as("operators may attach to them").doesNotHaveDuplicates();
    assertThat(generator.snapshot().waiters()).isZero();

    List<Long> seen = new ArrayList<>();
    generator.next().subscribe(seen::add, errors::add);
    store.endOutage();
    assertThat(seen).as("the backoff outlives the failure").isEmpty();
    assertThat(store.reservations()).isEqualTo(3);
    time.advanceTimeBy(MAX);
    assertThat(seen).containsExactly(1L);
    assertThat(errors).hasSize(10);
  }

  @Test
  void aSuccessResetsTheBackoffAndTheAttempts() {
    SequenceGenerator generator = builder(Setting.BATCH).build();
    List<Long> seen = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      store.failNextReservations(2, DOWN);
      generator.next(10).subscribe(seen::addAll, errors::add);
      time.advanceTimeBy(MIN.multipliedBy(3));
      assertThat(seen).as("round %d", round).hasSize(10 * (round + 1));
    }
    assertThat(errors).isEmpty();
  }

  @Test
  void aTimeoutAfterAFailureTellsOfTheFailure() {
    store.failNextReservations(1, DOWN);
    store.hangNextReservations(10);
    SequenceGenerator generator =
        builder(Setting.BATCH)
            .reservationTimeout(Duration.ofSeconds(2))
            .acquireTimeout(Duration.ofSeconds(10))
            .build();
    List<Throwable> errors = new ArrayList<>();
    generator.next().subscribe(value -> {}, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(9));
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0))
        .isInstanceOf(SequenceReservationException.class)
        .hasMessageContaining("did not answer within the reservationTimeout")
        .hasMessageContaining(DOWN.getMessage())
        .hasRootCause(DOWN);
  }

  @Test
  void aTimeoutAfterASuccessTellsOfNoFailureBeforeIt() {
    store.failNextReservations(1, DOWN);
    SequenceGenerator generator =
        builder(Setting.BATCH).reservationTimeout(Duration.ofSeconds(2)).build();
    List<Throwable> errors = new ArrayList<>();
    generator.next(10).subscribe();
    time.advanceTimeBy(Duration.ofSeconds(1));
    store.hangNextReservations(10);
    generator.next().subscribe(value -> {}, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(9));
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0)).hasMessageNotContaining(DOWN.getMessage());
    assertThat(errors.get(0).getCause()).hasNoCause();
  }

  @Test
  void reportsAttemptsAndFailureWhenTheSchedulerRefusesARetry() {
    AtomicInteger taken = new AtomicInteger();
    InlineScheduler closing =
        new InlineScheduler() {
          @Override
          public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            if (delay == MIN.multipliedBy(2).toNanos()) { // the second retry
              throw new RejectedExecutionException("shut down");
            }
            taken.incrementAndGet();
            return super.schedule(task, delay, unit);
          }
        };
    store.failNextReservations(10, DOWN);
    List<Throwable> errors = new ArrayList<>();
    SequenceGenerator.builder(store, "s")
        .scheduler(closing)
        .backoff(MIN, MAX, 0, 5)
        .build()
        .next()
        .subscribe(value -> {}, errors::add);
    closing.advance(MIN.toNanos());
    assertThat(taken).hasPositiveValue();
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0))
        .isInstanceOfSatisfying(
            SequenceReservationException.class, error -> assertThat(error.attempts()).isEqualTo(2))
        .hasMessageContaining("2 attempts")
        .hasMessageContaining(DOWN.getMessage())
        .hasCause(DOWN);
    assertThat(errors.get(0).getSuppressed())
        .hasSize(1)
        .hasOnlyElementsOfType(RejectedExecutionException.class);
  }

  @Test
  void countsAttemptsAnewForALaterSubscriber() {
    SequenceGenerator generator = builder(Setting.BATCH).build();
    store.failNextReservations(4, DOWN);
    Disposable leaving = generator.next().subscribe();
    time.advanceTimeBy(MIN);
    leaving.dispose();
    time.advanceTimeBy(MAX);
    assertThat(store.reservations()).isEqualTo(2);
    List<Long> seen = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    generator.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(MAX.multipliedBy(3));
    assertThat(errors).isEmpty();
    assertThat(seen).containsExactly(1L);
  }

  @Test
  void bufferedValuesKeepFlowing() {
    SequenceGenerator generator = builder(Setting.ASYNCHRONOUS_BATCH).build();
    List<Long> seen = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    generator.next().subscribe(seen::add);
    store.startOutage(DOWN);
    for (int i = 0; i < 9 && !generator.snapshot().failing(); i++) {
      generator.next().subscribe(seen::add, errors::add);
      time.advanceTimeBy(Duration.ofMillis(1));
    }
    assertThat(generator.snapshot().failing()).isTrue();
    assertThat(seen).as("before the failed prefetch").hasSizeLessThan(10);
    while (seen.size() < 10) {
      long left = generator.snapshot().buffered();
      generator.next().subscribe(seen::add, errors::add);
      assertThat(generator.snapshot().buffered()).isEqualTo(left - 1);
    }
    assertThat(errors).isEmpty();
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(errors).isEmpty();
  }

  @Test
  void endsAFailedPrefetchWithoutSubscribers() {
    SequenceGenerator generator = builder(Setting.ASYNCHRONOUS_BATCH).build();
    take(generator, 1, new ArrayList<>());
    store.startOutage(DOWN);
    take(generator, 6, new ArrayList<>());
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(store.reservations()).isLessThanOrEqualTo(1 + 3);
  }

  @Test
  void takesBelowTheWatermarkDoNotHammerAFailingStore() {
    SequenceGenerator generator =
        Setting.LARGE_ASYNCHRONOUS_BATCH
            .builder(store, "s")
            .scheduler(time)
            .backoff(MIN, MAX, 0, 3)
            .build();
    List<Long> seen = new ArrayList<>();
    take(generator, 700, seen);
    store.startOutage(DOWN);
    long before = store.reservations();
    for (int i = 0; i < 150; i++) {
      take(generator, 1, seen);
    }
    assertThat(store.reservations() - before).isEqualTo(1);
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(store.reservations() - before).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void retryingSubscribersDoNotHammerAFailingStore(Setting setting) {
    store.startOutage(DOWN);
    SequenceGenerator generator = builder(setting).build();
    AtomicInteger errors = new AtomicInteger();
    Disposable retrying =
        generator.values().doOnError(error -> errors.incrementAndGet()).retry().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(60));
    // Delays: 100 ms, 200 ms, 400 ms, 800 ms, then 1 s each.
    assertThat(store.reservations()).isEqualTo(5 + 58);
    assertThat(errors).hasValue((5 + 58) / 3);
    retrying.dispose();
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(store.reservations()).as("nobody wants any").isEqualTo(5 + 58);
  }

  @ParameterizedTest
  @EnumSource
  void failsSubscribersAtOnceAfterAPermanentErrorAndRetriesRarely(Setting setting) {
    SequenceGenerator generator =
        setting.builder(store, "missing").scheduler(time).backoff(MIN, MAX, 0, 3).build();
    List<Throwable> errors = new ArrayList<>();
    for (int come = 1; come <= 6_000; come++) {
      generator.next().subscribe(value -> {}, errors::add);
      assertThat(errors).hasSize(come);
      time.advanceTimeBy(Duration.ofMillis(10));
    }
    assertThat(errors).hasOnlyElementsOfType(SequenceNotFoundException.class);
    assertThat(generator.snapshot().waiters()).isZero();
    // Delays: 100 ms, 200 ms, 400 ms, 800 ms, then 1 s each.
    assertThat(store.reservations()).isEqualTo(5 + 58);

    store.create("missing", 7).block();
    time.advanceTimeBy(MAX);
    List<Long> seen = new ArrayList<>();
    generator.next().subscribe(seen::add, errors::add);
    assertThat(seen).containsExactly(7L);
  }

  @ParameterizedTest
  @EnumSource
  void abandonsAReservationThatHangsAfterItsTimeout(Setting setting) {
    store.hangNextReservations(1);
    SequenceGenerator generator =
        builder(setting).reservationTimeout(Duration.ofSeconds(2)).build();
    List<Long> seen = new ArrayList<>();
    generator.next().subscribe(seen::add);
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(seen).isEmpty();
    time.advanceTimeBy(MIN);
    assertThat(seen).containsExactly(1L);
  }

  @ParameterizedTest
  @EnumSource
  void aWaiterTimesOutWithTheLatestFailureAsItsCauseAndFreesItsPlace(Setting setting) {
    store.startOutage(DOWN);
    SequenceGenerator generator =
        setting
            .builder(store, "s")
            .scheduler(time)
            .maxWaiters(1)
            .backoff(Duration.ofSeconds(20), Duration.ofSeconds(20), 0, 3)
            .acquireTimeout(Duration.ofSeconds(5))
            .build();
    List<Throwable> errors = new ArrayList<>();
    generator.next().subscribe(value -> {}, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(5).minusNanos(1));
    assertThat(errors).isEmpty();
    time.advanceTimeBy(Duration.ofNanos(1));
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0))
        .isInstanceOf(SequenceTimeoutException.class)
        .hasMessageContaining("PT5S")
        .hasCause(DOWN);
    assertThat(generator.snapshot().waiters()).isZero();
    generator.next().subscribe(value -> {}, errors::add);
    assertThat(generator.snapshot().waiters()).isEqualTo(1);
    time.advanceTimeBy(Duration.ofSeconds(5));
    assertThat(errors).hasSize(2);
    assertThat(errors.get(1)).isInstanceOf(SequenceTimeoutException.class);
  }

  @Test
  void eachValueStartsTheAcquireTimeoutAnew() {
    store.latency(Duration.ofSeconds(4), time);
    SequenceGenerator generator =
        builder(Setting.BATCH).maxBlockSize(10).acquireTimeout(Duration.ofSeconds(5)).build();
    List<Long> seen = new ArrayList<>();
    generator.values().take(35).subscribe(seen::add);
    time.advanceTimeBy(Duration.ofSeconds(16));
    assertThat(seen).hasSize(35);
  }

  @ParameterizedTest
  @EnumSource
  void aFullLineRefusesTheNextSubscriberButNoneThatWasServed(Setting setting) {
    store.latency(Duration.ofSeconds(1), time);
    SequenceGenerator generator =
        setting.builder(store, "s", 1_000).scheduler(time).maxWaiters(2).build();
    List<Long> streamed = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    generator.values().take(2_500).subscribe(streamed::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(streamed).isNotEmpty();
    Disposable first = generator.next().subscribe(value -> {}, errors::add);
    generator.next().subscribe(value -> {}, errors::add);
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0))
        .isInstanceOf(SequenceWaiterLimitException.class)
        .hasMessageContaining("maxWaiters 2");
    first.dispose();
    generator.next().subscribe(value -> {}, errors::add);
    assertThat(errors).hasSize(1);
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(streamed).hasSize(2_500);
    assertThat(errors).hasSize(1);
  }

  @Test
  void aSnapshotFailsUntilAnAttemptSucceeds() {
    store.startOutage(DOWN);
    SequenceGenerator generator = builder(Setting.BATCH).build();
    assertThat(generator.snapshot().failing()).isFalse();
    generator.next().subscribe();
    assertThat(generator.snapshot().lastFailure()).isSameAs(DOWN);
    assertThat(generator.snapshot().failing()).isTrue();

    store.endOutage();
    time.advanceTimeBy(MIN);
    assertThat(generator.snapshot().lastFailure()).isNull();
    assertThat(generator.snapshot().failing()).isFalse();
  }

  @Test
  void aSnapshotDoesNotFailOnceTheDelayHasPassedAndNobodyWaits() {
    store.startOutage(DOWN);
    SequenceGenerator generator = builder(Setting.BATCH).backoff(MIN, MIN, 0, 2).build();
    generator.next().subscribe(value -> {}, failure -> {});
    time.advanceTimeBy(MIN.multipliedBy(3).dividedBy(2));
    assertThat(generator.snapshot().waiters()).isZero();
    assertThat(generator.snapshot().failing()).as("the next attempt is held back").isTrue();

    time.advanceTimeBy(MIN);
    assertThat(generator.snapshot().failing()).isFalse();
    assertThat(generator.snapshot().lastFailure()).isSameAs(DOWN);
  }

  private static void take(SequenceGenerator generator, int count, List<Long> into) {
    generator.values().take(count).subscribe(into::add);
  }
}
