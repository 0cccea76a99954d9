package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A scheduler is shut down with its tasks: nobody waits for ever. */
class SchedulerShutDownTest {

  private static final Duration GUARD = Duration.ofSeconds(20);
  private static final Duration LONG = Duration.ofHours(1);

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final List<Throwable> errors = new CopyOnWriteArrayList<>();

  private final List<Long> values = new CopyOnWriteArrayList<>();

  private @Nullable DyingClock clock;
  private @Nullable Scheduler scheduler;

  @AfterEach
  void close() {
    if (clock != null) {
      clock.close();
    }
  }

  private SequenceGeneratorBuilder builder(DyingClock used) {
    clock = used;
    scheduler = used.open();
    return SequenceGenerator.builder(store, "s").scheduler(scheduler);
  }

  private void shutDown() {
    Objects.requireNonNull(clock).shutDown(Objects.requireNonNull(scheduler));
  }

  private void subscribe(SequenceGenerator generator) {
    generator.next().subscribe(value -> {}, errors::add);
    generator.values().subscribe(value -> {}, errors::add);
    generator.next(3).subscribe(values -> {}, errors::add);
    generator.warmup().subscribe(nothing -> {}, errors::add);
  }

  private void assertErrors(int count) {
    await().atMost(GUARD).until(() -> errors.size() >= count);
    assertThat(errors).hasSize(count).hasOnlyElementsOfType(SequenceException.class);
    errors.clear();
  }

  @ParameterizedTest
  @EnumSource
  void subscribersOfAReservationWithoutAnAnswerEnd(DyingClock used) {
    store.hangNextReservations(1);
    SequenceGenerator generator = builder(used).build();
    subscribe(generator);
    await().atMost(GUARD).until(() -> generator.snapshot().reservationInFlight());
    shutDown();
    assertErrors(4);
    subscribe(generator);
    assertErrors(4);
    generator.disposeLater().block(GUARD);
  }

  @ParameterizedTest
  @EnumSource
  void subscribersThatWaitForTheNextAttemptEndWithTheFailure(DyingClock used) {
    store.startOutage(new IOException("down"));
    SequenceGenerator generator = builder(used).backoff(LONG, LONG, 0, 5).build();
    subscribe(generator);
    await().atMost(GUARD).until(() -> generator.snapshot().failing());
    shutDown();
    assertErrors(4);
    generator.disposeLater().block(GUARD);
  }

  @ParameterizedTest
  @EnumSource
  void anEndDuringAReservationIsReached(DyingClock used) {
    store.hangNextReservations(1);
    SequenceGenerator generator = builder(used).build();
    generator.next().subscribe(value -> {}, errors::add);
    await().atMost(GUARD).until(() -> generator.snapshot().reservationInFlight());
    Mono<Void> end = generator.disposeLater().cache();
    end.subscribe();
    shutDown();
    end.block(GUARD);
    assertErrors(1);
  }

  @ParameterizedTest
  @EnumSource
  void bufferedValuesAreIssuedAndTheRestIsAGap(DyingClock used) {
    SequenceGenerator generator = builder(used).blockSize(10).build();
    assertThat(generator.next().block(GUARD)).isEqualTo(1);
    shutDown();
    assertThat(generator.next().block(GUARD)).isEqualTo(2);
    generator.disposeLater().block(GUARD);
  }

  @Test
  void aValueOnItsWayToTheDeliverySchedulerArrives() {
    Scheduler busy = Schedulers.newBoundedElastic(1, 10, "delivery");
    busy.schedule(() -> Mono.never().block()); // until the shutdown interrupts it
    SequenceGenerator generator = SequenceGenerator.builder(store, "s").deliverOn(busy).build();
    generator.next().subscribe(values::add, errors::add);
    await().atMost(GUARD).until(() -> generator.snapshot().issued() == 1);
    busy.dispose();
    await().atMost(GUARD).until(() -> values.equals(List.of(1L)));
    assertThat(errors).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void subscribersThatWaitForAReleaseEnd(DyingClock used) {
    clock = used;
    scheduler = used.open();
    store.hangNextReleases(1);
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .defaults(options -> options.blockSize(10).createMissing(1))
            .anyName()
            .maxGenerators(1)
            .scheduler(scheduler)
            .build();
    assertThat(generators.get("a").next().block(GUARD)).isEqualTo(1);
    assertThat(generators.get("b").next().block(GUARD)).isEqualTo(1); // retires a
    await().atMost(GUARD).until(() -> store.releases() == 1);
    generators.get("a").next().subscribe(value -> {}, errors::add); // waits for the release
    shutDown();
    assertErrors(1);
    generators.disposeLater().block(GUARD);
  }
}
