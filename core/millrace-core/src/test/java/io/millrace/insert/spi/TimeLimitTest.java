package io.millrace.insert.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.insert.InsertTimeoutException;
import io.millrace.internal.ReliableScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;

class TimeLimitTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final List<String> ended = new ArrayList<>();

  /** How many timers were set. */
  private int timers;

  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public Disposable schedule(Runnable task) {
          return time.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
          timers++;
          return time.schedule(task, delay, unit);
        }

        @Override
        public long now(TimeUnit unit) {
          return time.now(unit);
        }

        @Override
        public Worker createWorker() {
          return time.createWorker();
        }
      };

  private final TimeLimit limit = new TimeLimit(LIMIT, scheduler);

  @AfterEach
  void reset() {
    VirtualTimeScheduler.reset();
  }

  private Disposable begin(String name) {
    return limit
        .limit(Mono.never())
        .subscribe(
            value -> {},
            failure -> {
              assertThat(failure).isInstanceOf(InsertTimeoutException.class);
              ended.add(name);
            });
  }

  @Test
  void attemptsThatFollowEachOtherShareATimer() {
    for (int i = 0; i < 1_000; i++) {
      begin("cancelled").dispose();
    }
    assertThat(timers).isEqualTo(1);
    time.advanceTimeBy(LIMIT);
    assertThat(timers).as("none is set again when no attempt is under way").isEqualTo(1);
  }

  @Test
  void eachOfSeveralAttemptsEndsAtItsOwnTime() {
    begin("first");
    time.advanceTimeBy(Duration.ofMillis(300));
    Disposable second = begin("second");
    time.advanceTimeBy(Duration.ofMillis(1_900));
    begin("third");
    second.dispose();
    time.advanceTimeBy(LIMIT.minusMillis(2_201));
    assertThat(ended).isEmpty();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(ended).containsExactly("first");
    time.advanceTimeBy(Duration.ofMillis(2_199));
    assertThat(ended).containsExactly("first");
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(ended).containsExactly("first", "third");
    assertThat(timers).as("one after the other, of a second").isEqualTo(13);
  }

  @Test
  void theLimitIsReachedWhenTheSchedulerIsShutDown() {
    Scheduler dying = Schedulers.newSingle("dying");
    Mono<?> work = new TimeLimit(Duration.ofHours(1), dying).limit(Mono.never()).cache();
    work.subscribe(value -> {}, failure -> {});
    dying.dispose();
    assertThatThrownBy(() -> work.block(Duration.ofSeconds(20)))
        .isInstanceOf(InsertTimeoutException.class);
  }

  @Test
  void anAttemptThatBeginsWhileTheTimerFiresHasATimer() {
    for (int round = 0; round < 20_000; round++) {
      Queue<Runnable> timers = new ConcurrentLinkedQueue<>();
      TimeLimit raced = new TimeLimit(LIMIT, new TimersByHand(timers));
      raced.limit(Mono.never()).subscribe().dispose();
      Runnable timer = Objects.requireNonNull(timers.poll());
      RaceTestUtils.race(timer, () -> raced.limit(Mono.never()).subscribe());
      assertThat(timers).as("round %d", round).hasSize(1);
    }
  }

  private record TimersByHand(Queue<Runnable> timers) implements Scheduler {

    @Override
    public Disposable schedule(Runnable task) {
      throw new AssertionError("only timers are set");
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      timers.add(task);
      return Disposables.disposed();
    }

    @Override
    public Worker createWorker() {
      throw new AssertionError("only timers are set");
    }
  }

  @Test
  void theSchedulerIsTheOneOfTheSubscription() {
    TimeLimit byDefault = new TimeLimit(LIMIT, ReliableScheduler.PARALLEL);
    VirtualTimeScheduler virtual = VirtualTimeScheduler.getOrSet();
    byDefault.limit(Mono.never()).subscribe(value -> {}, failure -> ended.add("virtual"));
    virtual.advanceTimeBy(LIMIT);
    assertThat(ended).containsExactly("virtual");
  }
}
