package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** The loop that makes and retires generators, with threads that stop halfway. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class LiveGeneratorsTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final QueueingScheduler queue = new QueueingScheduler();
  private final List<LiveGenerator> leased = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();
  private final CountDownLatch inLoop = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  private LiveGenerators generators(int maxGenerators) {
    return new LiveGenerators(maxGenerators, Bulkhead.OPEN, queue, Duration.ZERO);
  }

  private void seek(LiveGenerators generators, String name) {
    generators.<Long>seek(
        name,
        () -> SequenceGenerator.builder(store, name).scheduler(new InlineScheduler()),
        new BaseSubscriber<>() {
          @Override
          protected void hookOnError(Throwable failure) {
            errors.add(failure);
          }
        },
        (lease, actual, seek) -> leased.add(lease));
  }

  private LiveGenerator get(LiveGenerators generators, String name) {
    seek(generators, name);
    assertThat(errors).isEmpty();
    return leased.get(leased.size() - 1);
  }

  /** Makes another thread run the loop and stop inside it until {@link #goOn} opens. */
  private CompletableFuture<Void> stopInLoop(LiveGenerators generators)
      throws InterruptedException {
    CompletableFuture<Void> thread =
        CompletableFuture.runAsync(
            () ->
                generators
                    .loop()
                    .submit(
                        () -> {
                          inLoop.countDown();
                          return awaitUninterrupted(goOn);
                        }));
    assertThat(inLoop.await(30, TimeUnit.SECONDS)).isTrue();
    return thread;
  }

  private static boolean awaitUninterrupted(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  void oneThatIsRetiredIsLeasedToNobodyAndOneThatIsLeasedIsNotRetired() {
    LiveGenerator only = get(generators(1), "a");
    assertThat(only.retire()).isFalse();
    only.endLease();
    assertThat(only.lease()).isTrue();
    only.endLease();
    assertThat(only.retire()).isTrue();
    assertThat(only.lease()).isFalse();
    assertThat(only.watch()).isFalse();
    assertThat(only.retire()).isFalse();
  }

  @Test
  void whoFindsAnotherThreadInTheLoopLeavesAndIsServedOnTheScheduler() throws Exception {
    LiveGenerators generators = generators(1);
    get(generators, "a").endLease();
    CompletableFuture<Void> other = stopInLoop(generators);
    seek(generators, "b");
    seek(generators, "c");
    assertThat(leased).as("while the other thread does not move").hasSize(1);
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(leased).hasSize(1);
    assertThat(generators.liveCount()).isEqualTo(1);

    queue.runNext();
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("a", "b");
    queue.runNext();
    assertThat(errors).singleElement().isInstanceOf(SequenceGeneratorLimitException.class);
    assertThat(queue.tasks).isEmpty();
  }

  @Test
  void whoCancelsBeforeItIsItsTurnHasNothingMade() throws Exception {
    LiveGenerators generators = generators(1);
    CompletableFuture<Void> other = stopInLoop(generators);
    named(generators, "a").next().subscribe().dispose();
    named(generators, "a").values().subscribe().dispose();
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(generators.held()).isZero();
    assertThat(queue.tasks).isEmpty();
  }

  @Test
  void whoCancelsBeforeItIsToldEndsItsLeaseAtOnce() throws Exception {
    LiveGenerators generators = generators(1);
    CompletableFuture<Void> other = stopInLoop(generators);
    Disposable next = named(generators, "a").next().subscribe();
    Disposable values = named(generators, "a").values().subscribe();
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    next.dispose();
    values.dispose();
    assertThat(queue.tasks).hasSize(2);
    queue.runNext();
    queue.runNext();
    assertThat(generators.liveCount()).isEqualTo(1);
    assertThat(get(generators, "b").name()).as("the only generator allowed").isEqualTo("b");
    assertThat(store.reservations()).isZero();
  }

  @Test
  void whatWasAskedForBeforeIsAskedForThen() throws Exception {
    LiveGenerators generators = generators(1);
    store.create("a", 1).subscribe();
    CompletableFuture<Void> other = stopInLoop(generators);
    Probe one = Probe.of(named(generators, "a").next(), 1);
    Probe some = Probe.of(named(generators, "a").values(), 3);
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(one.values).isEmpty();
    queue.runNext();
    queue.runNext();
    assertThat(one.values).containsExactly(1L);
    assertThat(some.values).containsExactly(2L, 3L, 4L);
    some.request(1);
    some.cancel();
    some.request(1);
    assertThat(some.values).containsExactly(2L, 3L, 4L, 5L);
    assertThat(get(generators, "b").name()).as("the only generator allowed").isEqualTo("b");
  }

  @Test
  void whoCancelsAfterItsGeneratorIsThereLeavesTheGeneratorToOthers() throws Exception {
    List<String> told = new ArrayList<>();
    LiveGenerators generators = generators(1);
    CompletableFuture<Void> other = stopInLoop(generators);
    for (int step = 2; step < RequestLoop.STEPS; step++) {
      generators.loop().submit(() -> true);
    }
    Disposable next = named(generators, "a", told).next().subscribe();
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(generators.liveCount())
        .as("it is installed in the last step of that thread")
        .isEqualTo(1);
    assertThat(leased).isEmpty();

    next.dispose();
    queue.runNext();
    queue.tasks.forEach(Runnable::run);
    assertThat(told).containsExactly("opened a");
    assertThat(get(generators, "b").name()).as("the only generator allowed").isEqualTo("b");
    assertThat(told).containsExactly("opened a", "closed a");
  }

  @Test
  void aSchedulerThatThrowsWhatItsTaskThrewPassesALeaseOnOnce() throws Exception {
    LiveGenerators generators =
        new LiveGenerators(1, Bulkhead.OPEN, new InlineScheduler(), Duration.ZERO);
    CompletableFuture<Void> other = stopInLoop(generators);
    AtomicInteger passed = new AtomicInteger();
    generators.<Long>seek(
        "a",
        () -> SequenceGenerator.builder(store, "a").scheduler(new InlineScheduler()),
        new BaseSubscriber<>() {},
        (lease, actual, seek) -> {
          passed.incrementAndGet();
          lease.endLease();
          throw new IllegalStateException("on purpose");
        });
    goOn.countDown();
    other.handle((done, failure) -> done).get(30, TimeUnit.SECONDS);
    assertThat(passed).hasValue(1);
    assertThat(get(generators, "b").name()).as("the only generator allowed").isEqualTo("b");
  }

  private SequenceGenerator named(LiveGenerators generators, String name, List<String> told) {
    SequenceMetricsRecorder recorder =
        new SequenceMetricsRecorder() {
          @Override
          public void opened(SequenceGenerator generator) {
            told.add("opened " + generator.name());
          }

          @Override
          public void closed(SequenceGenerator generator) {
            told.add("closed " + generator.name());
          }
        };
    return new SequenceGenerators(
            store,
            anyName(),
            options -> options.scheduler(new InlineScheduler()).metrics(recorder),
            generators)
        .get(name);
  }

  private SequenceGenerator named(LiveGenerators generators, String name) {
    return new SequenceGenerators(
            store, anyName(), options -> options.scheduler(new InlineScheduler()), generators)
        .get(name);
  }

  private static NamedOptions anyName() {
    NamedOptions options = new NamedOptions();
    options.allowAnyName();
    return options;
  }

  @Test
  void aSchedulerThatRefusesHasTheThreadInTheLoopTellThem() throws Exception {
    LiveGenerators generators =
        new LiveGenerators(1, Bulkhead.OPEN, new RefusingScheduler(), Duration.ofMinutes(1));
    CompletableFuture<Void> other = stopInLoop(generators);
    seek(generators, "a");
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("a");
  }

  @Test
  void oneFoundInUseIsFoundAgainOnceItIsIdle() {
    LiveGenerators generators = generators(1);
    LiveGenerator first = get(generators, "a");
    first.endLease();
    for (int i = 0; i < 3; i++) {
      assertThat(first.lease()).isTrue();
      seek(generators, "b");
      assertThat(errors).hasSize(i + 1);
      first.endLease();
    }
    errors.clear();
    assertThat(get(generators, "b").name()).isEqualTo("b");
    assertThat(first.isRetired()).isTrue();
    assertThat(generators.liveCount()).isEqualTo(1);
  }

  @Test
  void aThreadTakesSoManyStepsAndLeavesTheRestToTheScheduler() {
    int busy = 10 * RequestLoop.STEPS;
    LiveGenerators generators = generators(busy + 1);
    List<LiveGenerator> all = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      all.add(get(generators, "busy" + i));
    }
    LiveGenerator idle = get(generators, "idle");
    all.forEach(LiveGenerator::endLease);
    idle.endLease();
    all.forEach(each -> assertThat(each.lease()).isTrue());
    leased.clear();

    seek(generators, "next");
    int turns = 0;
    for (; leased.isEmpty(); turns++) {
      assertThat(queue.tasks).hasSize(1);
      queue.runNext();
    }
    assertThat(turns).isBetween(10, 12);
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("next");
    assertThat(idle.isRetired()).isTrue();
    assertThat(all).noneMatch(LiveGenerator::isRetired);
    seek(generators, "more");
    assertThat(errors).singleElement().isInstanceOf(SequenceGeneratorLimitException.class);
  }

  @Test
  void aThrowOutOfTheLoopLeavesItToTheSchedulerAndNobodyInIt() {
    LiveGenerators generators = generators(1);
    AtomicInteger tries = new AtomicInteger();
    generators
        .loop()
        .submit(
            () -> {
              if (tries.incrementAndGet() == 1) {
                seek(generators, "a");
                throw new StackOverflowError("on purpose");
              }
              return true;
            });
    assertThat(leased).isEmpty();
    queue.runNext();
    assertThat(tries).hasValue(2);
    queue.runNext();
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("a");
    assertThat(generators.liveCount()).isEqualTo(1);
  }

  @Test
  void whatIsThrownByOneWhoIsToldKeepsNobodyElseFromBeingTold() {
    LiveGenerators generators = generators(3);
    get(generators, "a").endLease();
    List<String> told = new ArrayList<>();
    Mono<Void> first =
        generators
            .evict("a")
            .doOnTerminate(
                () -> {
                  throw new IllegalStateException("on purpose");
                });
    first.subscribe(nothing -> {}, failure -> {});
    generators.evict("none").subscribe(nothing -> {}, errors::add, () -> told.add("none"));
    get(generators, "b");
    assertThat(told).containsExactly("none");
    assertThat(generators.liveCount()).isEqualTo(1);
  }
}
