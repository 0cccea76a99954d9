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

  private LiveGenerators home(int maxGenerators) {
    return new LiveGenerators(maxGenerators, Bulkhead.OPEN, queue, Duration.ZERO);
  }

  private void seek(LiveGenerators home, String name) {
    home.<Long>seek(
        name,
        () -> SequenceGenerator.builder(store, name).scheduler(new InlineScheduler()),
        new BaseSubscriber<>() {
          @Override
          protected void hookOnError(Throwable failure) {
            errors.add(failure);
          }
        },
        (lease, actual, sought) -> leased.add(lease));
  }

  private LiveGenerator get(LiveGenerators home, String name) {
    seek(home, name);
    assertThat(errors).isEmpty();
    return leased.get(leased.size() - 1);
  }

  /** Has another thread run the loop, and stop there until told to go on. */
  private CompletableFuture<Void> stopInLoop(LiveGenerators home) throws InterruptedException {
    CompletableFuture<Void> thread =
        CompletableFuture.runAsync(
            () ->
                home.loop()
                    .ask(
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
    LiveGenerator only = get(home(1), "a");
    assertThat(only.retire()).isFalse();
    only.release();
    assertThat(only.lease()).isTrue();
    only.release();
    assertThat(only.retire()).isTrue();
    assertThat(only.lease()).isFalse();
    assertThat(only.watch()).isFalse();
    assertThat(only.retire()).isFalse();
  }

  @Test
  void whoFindsAnotherThreadInTheLoopLeavesAndIsServedOnTheScheduler() throws Exception {
    LiveGenerators home = home(1);
    get(home, "a").release();
    CompletableFuture<Void> other = stopInLoop(home);
    seek(home, "b");
    seek(home, "c");
    assertThat(leased).as("while the other thread does not move").hasSize(1);
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(leased).hasSize(1);
    assertThat(home.places()).isEqualTo(1);

    queue.runNext();
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("a", "b");
    queue.runNext();
    assertThat(errors).singleElement().isInstanceOf(SequenceGeneratorLimitException.class);
    assertThat(queue.tasks).isEmpty();
  }

  @Test
  void whoCancelsBeforeItIsItsTurnHasNothingMade() throws Exception {
    LiveGenerators home = home(1);
    CompletableFuture<Void> other = stopInLoop(home);
    named(home, "a").next().subscribe().dispose();
    named(home, "a").values().subscribe().dispose();
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(home.held()).isZero();
    assertThat(queue.tasks).isEmpty();
  }

  @Test
  void whoCancelsBeforeItIsToldEndsItsLeaseAtOnce() throws Exception {
    LiveGenerators home = home(1);
    CompletableFuture<Void> other = stopInLoop(home);
    Disposable next = named(home, "a").next().subscribe();
    Disposable values = named(home, "a").values().subscribe();
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    next.dispose();
    values.dispose();
    assertThat(queue.tasks).hasSize(2);
    queue.runNext();
    queue.runNext();
    assertThat(home.places()).isEqualTo(1);
    assertThat(get(home, "b").name()).as("the only place").isEqualTo("b");
    assertThat(store.reservations()).isZero();
  }

  @Test
  void whatWasAskedForBeforeIsAskedForThen() throws Exception {
    LiveGenerators home = home(1);
    store.create("a", 1).subscribe();
    CompletableFuture<Void> other = stopInLoop(home);
    Probe one = Probe.of(named(home, "a").next(), 1);
    Probe some = Probe.of(named(home, "a").values(), 3);
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
    assertThat(get(home, "b").name()).as("the only place").isEqualTo("b");
  }

  @Test
  void whoCancelsAfterItsGeneratorIsThereLeavesTheGeneratorToOthers() throws Exception {
    List<String> told = new ArrayList<>();
    LiveGenerators home = home(1);
    CompletableFuture<Void> other = stopInLoop(home);
    for (int step = 2; step < RequestLoop.STEPS; step++) {
      home.loop().ask(() -> true);
    }
    Disposable next = named(home, "a", told).next().subscribe();
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(home.places()).as("it is installed in the last step of that thread").isEqualTo(1);
    assertThat(leased).isEmpty();

    next.dispose();
    queue.runNext();
    queue.tasks.forEach(Runnable::run);
    assertThat(told).containsExactly("opened a");
    assertThat(get(home, "b").name()).as("the only place").isEqualTo("b");
    assertThat(told).containsExactly("opened a", "closed a");
  }

  @Test
  void aSchedulerThatThrowsWhatItsTaskThrewPassesALeaseOnOnce() throws Exception {
    LiveGenerators home =
        new LiveGenerators(1, Bulkhead.OPEN, new InlineScheduler(), Duration.ZERO);
    CompletableFuture<Void> other = stopInLoop(home);
    AtomicInteger passed = new AtomicInteger();
    home.<Long>seek(
        "a",
        () -> SequenceGenerator.builder(store, "a").scheduler(new InlineScheduler()),
        new BaseSubscriber<>() {},
        (lease, actual, sought) -> {
          passed.incrementAndGet();
          lease.release();
          throw new IllegalStateException("on purpose");
        });
    goOn.countDown();
    other.handle((done, failure) -> done).get(30, TimeUnit.SECONDS);
    assertThat(passed).hasValue(1);
    assertThat(get(home, "b").name()).as("the only place").isEqualTo("b");
  }

  private SequenceGenerator named(LiveGenerators home, String name, List<String> told) {
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
            home)
        .get(name);
  }

  private SequenceGenerator named(LiveGenerators home, String name) {
    return new SequenceGenerators(
            store, anyName(), options -> options.scheduler(new InlineScheduler()), home)
        .get(name);
  }

  private static NamedOptions anyName() {
    NamedOptions options = new NamedOptions();
    options.allowAnyName();
    return options;
  }

  @Test
  void aSchedulerThatRefusesHasTheThreadInTheLoopTellThem() throws Exception {
    LiveGenerators home =
        new LiveGenerators(1, Bulkhead.OPEN, new RefusingScheduler(), Duration.ofMinutes(1));
    CompletableFuture<Void> other = stopInLoop(home);
    seek(home, "a");
    goOn.countDown();
    other.get(30, TimeUnit.SECONDS);
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("a");
  }

  @Test
  void oneFoundInUseIsFoundAgainOnceItIsIdle() {
    LiveGenerators home = home(1);
    LiveGenerator first = get(home, "a");
    first.release();
    for (int i = 0; i < 3; i++) {
      assertThat(first.lease()).isTrue();
      seek(home, "b");
      assertThat(errors).hasSize(i + 1);
      first.release();
    }
    errors.clear();
    assertThat(get(home, "b").name()).isEqualTo("b");
    assertThat(first.isRetired()).isTrue();
    assertThat(home.places()).isEqualTo(1);
  }

  @Test
  void aThreadTakesSoManyStepsAndLeavesTheRestToTheScheduler() {
    int busy = 10 * RequestLoop.STEPS;
    LiveGenerators home = home(busy + 1);
    List<LiveGenerator> all = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      all.add(get(home, "busy" + i));
    }
    LiveGenerator idle = get(home, "idle");
    all.forEach(LiveGenerator::release);
    idle.release();
    all.forEach(each -> assertThat(each.lease()).isTrue());
    leased.clear();

    seek(home, "next");
    int turns = 0;
    for (; leased.isEmpty(); turns++) {
      assertThat(queue.tasks).hasSize(1);
      queue.runNext();
    }
    assertThat(turns).isBetween(10, 12);
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("next");
    assertThat(idle.isRetired()).isTrue();
    assertThat(all).noneMatch(LiveGenerator::isRetired);
    seek(home, "more");
    assertThat(errors).singleElement().isInstanceOf(SequenceGeneratorLimitException.class);
  }

  @Test
  void aThrowOutOfTheLoopLeavesItToTheSchedulerAndNobodyInIt() {
    LiveGenerators home = home(1);
    AtomicInteger tries = new AtomicInteger();
    home.loop()
        .ask(
            () -> {
              if (tries.incrementAndGet() == 1) {
                seek(home, "a");
                throw new StackOverflowError("on purpose");
              }
              return true;
            });
    assertThat(leased).isEmpty();
    queue.runNext();
    assertThat(tries).hasValue(2);
    queue.runNext();
    assertThat(leased).extracting(LiveGenerator::name).containsExactly("a");
    assertThat(home.places()).isEqualTo(1);
  }

  @Test
  void whatIsThrownByOneWhoIsToldKeepsNobodyElseFromBeingTold() {
    LiveGenerators home = home(3);
    get(home, "a").release();
    List<String> told = new ArrayList<>();
    Mono<Void> first =
        home.evict("a")
            .doOnTerminate(
                () -> {
                  throw new IllegalStateException("on purpose");
                });
    first.subscribe(nothing -> {}, failure -> {});
    home.evict("none").subscribe(nothing -> {}, errors::add, () -> told.add("none"));
    get(home, "b");
    assertThat(told).containsExactly("none");
    assertThat(home.places()).isEqualTo(1);
  }
}
