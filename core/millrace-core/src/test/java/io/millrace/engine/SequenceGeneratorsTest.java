package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Internals;
import io.millrace.Probe;
import io.millrace.RecordingRecorder;
import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** When generators are made, what their handles do, and when they are evicted. Time is virtual. */
class SequenceGeneratorsTest {

  private static final Duration LATENCY = Duration.ofMillis(10);
  private static final Duration IDLE = Duration.ofMinutes(4);
  private static final Duration SWEEP = IDLE.dividedBy(4);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.create().latency(LATENCY, time);
  private final List<Throwable> errors = new ArrayList<>();
  private final List<String> done = new ArrayList<>();

  private SequenceGenerators.Builder builder() {
    return SequenceGenerators.builder(store)
        .scheduler(time)
        .idleAfter(IDLE)
        .anyName()
        .defaults(options -> options.blockSize(100).createMissing(1));
  }

  /** One value, waited for as long as a creation and a reservation take. */
  private long take(SequenceGenerator generator) {
    List<Long> taken = new ArrayList<>();
    generator.next().subscribe(taken::add, errors::add);
    time.advanceTimeBy(LATENCY.multipliedBy(4));
    assertThat(errors).isEmpty();
    assertThat(taken).hasSize(1);
    return taken.get(0);
  }

  private long counter(String name) {
    List<SequenceState> states = new ArrayList<>();
    store.state(name).subscribe(states::add, errors::add);
    time.advanceTimeBy(LATENCY);
    return states.get(0).nextValue();
  }

  private long tasksScheduledWithin(Duration duration) {
    long before = time.getScheduledTaskCount();
    time.advanceTimeBy(duration);
    return time.getScheduledTaskCount() - before;
  }

  private List<String> live(SequenceGenerators generators) {
    return generators.snapshots().stream().map(SequenceGeneratorSnapshot::name).toList();
  }

  // Made on first use.

  @Test
  void nothingIsMadeOrAskedForBeforeASubscription() {
    SequenceGenerators generators = builder().build();
    SequenceGenerator handle = generators.get("a");
    Mono<Long> next = handle.next();
    handle.next(3);
    handle.values();
    handle.warmup();
    handle.map(value -> -value).next();
    Flux<Long> assigned =
        Flux.just(1).transform(handle.<Integer, Long>assign((element, value) -> value));
    time.advanceTimeBy(Duration.ofDays(1));

    assertThat(handle.snapshot()).isEqualTo(GeneratorHandle.unused("a", false));
    assertThat(handle.name()).isEqualTo("a");
    assertThat(handle.isDisposed()).isFalse();
    assertThat(generators.snapshots()).isEmpty();
    assertThat(store.reservations()).isZero();

    next.subscribe();
    assigned.subscribe();
    assertThat(live(generators)).containsExactly("a");
  }

  @Test
  void allHandlesOfANameShareOneGenerator() {
    SequenceGenerators generators = builder().build();
    assertThat(take(generators.get("a"))).isEqualTo(1);
    assertThat(take(generators.get("a"))).isEqualTo(2);
    assertThat(store.reservations()).isEqualTo(1);
    assertThat(generators.get("a").snapshot().issued()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aHandleDoesWhatAGeneratorDoes(Setting setting) {
    store.latency(Duration.ZERO);
    SequenceGenerators generators =
        builder().sequence("s", options -> setting.apply(options)).build();
    SequenceGenerator handle = generators.get("s");
    StepVerifier.create(handle.warmup()).verifyComplete();
    StepVerifier.create(handle.next()).expectNext(1L).verifyComplete();
    StepVerifier.create(handle.next(3)).expectNext(List.of(2L, 3L, 4L)).verifyComplete();
    StepVerifier.create(handle.values().take(2)).expectNext(5L, 6L).verifyComplete();
    StepVerifier.create(
            Flux.just("x", "y")
                .transform(handle.<String, String>assign((element, value) -> element + value)))
        .expectNext("x7", "y8")
        .verifyComplete();
    StepVerifier.create(handle.map(value -> -value).next()).expectNext(-9L).verifyComplete();
    assertThat(handle.snapshot().issued()).isEqualTo(9);
    assertThatThrownBy(() -> handle.next(0)).hasMessage("count must be 1 or more, was 0");
    assertThat(handle).hasToString("SequenceGenerator[s]");
  }

  @Test
  void passesAnErrorOfTheOptionsToTheSubscriber() {
    List<Integer> calls = new ArrayList<>();
    SequenceGenerators generators =
        builder()
            .maxGenerators(1)
            .sequence(
                "bad",
                options -> {
                  calls.add(1);
                  if (calls.size() > 1) {
                    throw new IllegalStateException("on purpose");
                  }
                })
            .build();
    for (int i = 0; i < 3; i++) {
      StepVerifier.create(generators.get("bad").next())
          .verifyErrorMatches(error -> "on purpose".equals(error.getMessage()));
      StepVerifier.create(generators.get("bad").values())
          .verifyErrorMatches(error -> "on purpose".equals(error.getMessage()));
    }
    assertThat(take(generators.get("good"))).isEqualTo(1);
  }

  // Evicted when idle.

  @Test
  void evictsAnIdleGeneratorAndReleasesItsTail() {
    SequenceGenerators generators = builder().build();
    SequenceGenerator handle = generators.get("a");
    handle.next().subscribe(); // the sweeps begin now
    time.advanceTimeBy(SWEEP.minusMillis(1));
    assertThat(take(handle)).as("used just before a sweep").isEqualTo(2);
    time.advanceTimeBy(IDLE.minus(LATENCY.multipliedBy(5)));
    assertThat(live(generators)).as("idle for a little less than the time").containsExactly("a");

    time.advanceTimeBy(LATENCY.multipliedBy(7));
    assertThat(live(generators)).isEmpty();
    assertThat(Internals.of(generators).held()).isZero();
    assertThat(handle.snapshot().reservations()).isZero();
    assertThat(counter("a")).isEqualTo(3);
    assertThat(take(handle)).isEqualTo(3);
    assertThat(errors).isEmpty();
  }

  @Test
  void aGeneratorThatIsUsedAgainAndAgainIsNotEvicted() {
    SequenceGenerators generators = builder().build();
    for (int i = 0; i < 30; i++) {
      assertThat(take(generators.get("a"))).isEqualTo(i + 1);
      time.advanceTimeBy(IDLE.minusSeconds(1));
    }
    assertThat(store.releases()).isZero();
  }

  @Test
  void anOpenStreamWithoutDemandDoesNotKeepItsGeneratorAndGoesOnWithTheNext() {
    SequenceGenerators generators = builder().build();
    Probe stream = Probe.of(generators.get("a").values(), 1);
    time.advanceTimeBy(IDLE.plus(SWEEP).plus(LATENCY));
    assertThat(live(generators)).isEmpty();
    assertThat(counter("a")).isEqualTo(2);

    stream.request(2);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(stream.values).containsExactly(1L, 2L, 3L);
    assertThat(live(generators)).containsExactly("a");
    assertThat(stream.error).isNull();
  }

  @Test
  void keepsAGeneratorWithWaiters() {
    store.startOutage(new IOException("down"));
    SequenceGenerators generators =
        builder().defaults(options -> options.acquireTimeout(Duration.ZERO)).build();
    SequenceGenerator handle = generators.get("a");
    List<Long> seen = new ArrayList<>();
    Disposable waiting = handle.next().retry().subscribe(seen::add);
    time.advanceTimeBy(Duration.ofHours(1));
    assertThat(live(generators)).containsExactly("a");
    waiting.dispose();
    time.advanceTimeBy(IDLE.plus(SWEEP).plus(LATENCY));
    assertThat(live(generators)).isEmpty();
    store.endOutage();
    assertThat(take(handle)).isEqualTo(1);
    assertThat(seen).isEmpty();
  }

  @Test
  void withAnIdleTimeOfZeroNothingIsEvictedForBeingIdle() {
    SequenceGenerators generators = builder().idleAfter(Duration.ZERO).build();
    take(generators.get("a"));
    assertThat(tasksScheduledWithin(Duration.ofDays(300))).isZero();
    assertThat(live(generators)).containsExactly("a");
  }

  @Test
  void theSweepEndsWithTheLastGeneratorAndBeginsAgainWithTheNext() {
    SequenceGenerators generators = builder().build();
    for (int i = 0; i < 3; i++) {
      take(generators.get("a"));
      assertThat(tasksScheduledWithin(IDLE.multipliedBy(2))).isPositive();
      assertThat(Internals.of(generators).held()).isZero();
      assertThat(tasksScheduledWithin(Duration.ofDays(300))).isZero();
    }
    assertThat(store.releases()).isEqualTo(3);
  }

  @Test
  void startsTheNextGeneratorOfANameAfterTheRelease() {
    store.latency(Duration.ofSeconds(3), time);
    SequenceGenerators generators = builder().build();
    SequenceGenerator handle = generators.get("a");
    List<Long> seen = new ArrayList<>();
    handle.next().subscribe(seen::add);
    time.advanceTimeBy(Duration.ofSeconds(10));
    long reservations = store.reservations();
    while (store.releases() == 0) {
      time.advanceTimeBy(Duration.ofSeconds(1));
    }

    handle.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofMillis(500));
    assertThat(store.reservations()).as("while the release is under way").isEqualTo(reservations);
    assertThat(handle.snapshot().waiters()).isEqualTo(1);
    time.advanceTimeBy(Duration.ofSeconds(6));
    assertThat(seen).containsExactly(1L, 2L);
    assertThat(errors).isEmpty();
  }

  @Test
  void waitsForAHangingReleaseUntilItsTimeout() {
    store.hangNextReleases(1);
    RecordingRecorder recorder = new RecordingRecorder();
    SequenceGenerators generators =
        builder()
            .defaults(
                options ->
                    options
                        .reservationTimeout(Duration.ofSeconds(5))
                        .metrics(recorder)
                        .acquireTimeout(Duration.ofSeconds(6)))
            .build();
    SequenceGenerator handle = generators.get("a");
    take(handle);
    while (store.releases() == 0) {
      time.advanceTimeBy(Duration.ofSeconds(1));
    }
    List<Long> seen = new ArrayList<>();
    handle.next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(5).plus(LATENCY.multipliedBy(2)));
    assertThat(seen).as("a tail that was not given back is a gap").containsExactly(101L);
    assertThat(recorder.failures).isEmpty();
    assertThat(errors).isEmpty();
  }

  @Test
  void disposalWaitsForAGiveBackWhoseNameHasANewGenerator() {
    SequenceGenerators generators = builder().build();
    take(generators.get("a"));
    store.latency(Duration.ofSeconds(3), time);
    generators.get("a").disposeLater().subscribe();
    SequenceGenerator follows = generators.get("a");
    follows.next().subscribe(value -> {}, errors::add).dispose();

    follows.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("handle"));
    generators.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("all"));
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(done).as("while the release is under way").isEmpty();
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(done).containsExactlyInAnyOrder("handle", "all");
    assertThat(errors).isEmpty();
  }

  @Test
  void issuesValuesAlthoughTheSweepIsRefused() {
    Scheduler closed = Schedulers.newSingle("closed");
    closed.dispose();
    SequenceGenerators generators =
        builder().scheduler(closed).defaults(options -> options.scheduler(time)).build();
    assertThat(take(generators.get("a"))).isEqualTo(1);
    assertThat(take(generators.get("a"))).isEqualTo(2);
  }

  // Bounded.

  @Test
  void evictsTheLeastRecentlyUsedAtTheBound() {
    SequenceGenerators generators = builder().maxGenerators(3).build();
    take(generators.get("often"));
    for (int i = 0; i < 20; i++) {
      take(generators.get("new" + i));
      take(generators.get("often"));
      if (i >= 2) {
        assertThat(live(generators)).containsExactlyInAnyOrder("often", "new" + i, "new" + (i - 1));
        assertThat(counter("new" + (i - 2))).as("given back").isEqualTo(2);
      }
    }
    assertThat(take(generators.get("new0"))).isEqualTo(2);
  }

  @Test
  void exceedsTheBoundWhileAllGeneratorsAreInUse() {
    SequenceGenerators generators = builder().maxGenerators(2).build();
    store.latency(Duration.ofSeconds(1), time);
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      generators.get("s" + i).next().subscribe(seen::add, errors::add);
    }
    assertThat(live(generators)).hasSize(20);
    time.advanceTimeBy(Duration.ofSeconds(20));
    assertThat(seen).hasSize(20).containsOnly(1L);
    assertThat(errors).isEmpty();
    generators.get("one more").next().subscribe(seen::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(20));
    assertThat(live(generators)).hasSize(2);
  }

  @Test
  void aRecorderIsToldOfEachGeneratorOnce() {
    RecordingRecorder recorder = new RecordingRecorder();
    SequenceGenerators generators =
        builder().maxGenerators(1).defaults(options -> options.metrics(recorder)).build();
    for (int i = 0; i < 100; i++) {
      take(generators.get("b" + i % 3));
    }
    generators.disposeLater().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(recorder.opened).hasSize(100);
    assertThat(recorder.closed).hasSize(100);
  }

  @Test
  void aFloodOfTenantsThatComeAndGoInAnOutageHoldsNoMemory() {
    store.hangNextReservations(1_000_000);
    SequenceGenerators generators =
        builder()
            .maxGenerators(10)
            .defaults(options -> options.reservationTimeout(Duration.ofSeconds(1)))
            .build();
    for (int tenant = 0; tenant < 5_000; tenant++) {
      generators.get("t" + tenant).next().subscribe(value -> {}, errors::add).dispose();
      time.advanceTimeBy(Duration.ofMillis(100));
      assertThat(Internals.of(generators).held())
          .as("generators, of which ten wait for an answer")
          .isLessThanOrEqualTo(10 + 10);
    }
    assertThat(errors).isEmpty();
  }

  // Disposal.

  @Test
  void disposalFailsThoseWhoWaitAndThoseWhoComeLaterAndGivesEverythingBack() {
    SequenceGenerators generators = builder().build();
    List<SequenceGenerator> handles =
        IntStream.range(0, 10).mapToObj(i -> generators.get("s" + i)).toList();
    handles.forEach(this::take);
    handles.get(0).values().subscribe(value -> {}, errors::add);
    generators.get("waits").next().subscribe(value -> {}, errors::add);

    generators.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("first"));
    assertThat(generators.isDisposed()).isTrue();
    assertThat(handles.get(0).isDisposed()).isTrue();
    assertThat(errors).as("told at once").hasSize(2);
    handles.get(0).next().subscribe(value -> {}, errors::add);
    generators.get("s1").values().subscribe(value -> {}, errors::add);
    generators.get("new").warmup().subscribe(nothing -> {}, errors::add);
    assertThat(errors).hasSize(5).hasOnlyElementsOfType(SequenceDisposedException.class);
    assertThat(done).isEmpty();

    time.advanceTimeBy(Duration.ofMinutes(1));
    generators.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("second"));
    assertThat(done).containsExactly("first", "second");
    for (int i = 1; i < 10; i++) {
      assertThat(counter("s" + i)).isEqualTo(2);
    }
    assertThat(generators.snapshots()).isEmpty();
    assertThat(Internals.of(generators).held()).isZero();
    assertThat(tasksScheduledWithin(Duration.ofDays(300))).isZero();
  }

  @Test
  void disposingAHandleEvictsItsGeneratorAndTheHandleStaysValid() {
    SequenceGenerators generators = builder().build();
    SequenceGenerator handle = generators.get("a");
    take(handle);
    handle.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    assertThat(done).as("the give-back is waited for").isEmpty();
    assertThat(live(generators)).isEmpty();
    time.advanceTimeBy(LATENCY);
    assertThat(done).containsExactly("done");
    assertThat(counter("a")).isEqualTo(2);
    assertThat(handle.isDisposed()).isFalse();
    assertThat(take(handle)).isEqualTo(2);
  }

  @Test
  void disposingAHandleLeavesTheSubscriptionsThatRunAlone() {
    SequenceGenerators generators = builder().build();
    List<Long> seen = new ArrayList<>();
    SequenceGenerator handle = generators.get("a");
    handle.next().subscribe(seen::add, errors::add);
    handle.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    assertThat(done).containsExactly("done");
    time.advanceTimeBy(LATENCY.multipliedBy(4));
    assertThat(seen).containsExactly(1L);
    assertThat(errors).isEmpty();
    time.advanceTimeBy(IDLE.plus(SWEEP));
    assertThat(counter("a")).isEqualTo(2);
  }
}
