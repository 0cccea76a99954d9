package io.millrace.insert.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.InsertTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

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
    begin("later").dispose();
    assertThat(timers).isEqualTo(2);
  }

  @Test
  void eachOfSeveralAttemptsEndsAtItsTimeOrAHundredthBefore() {
    begin("first");
    time.advanceTimeBy(Duration.ofMillis(99));
    begin("shares its timer");
    time.advanceTimeBy(Duration.ofMillis(1));
    begin("own timer");
    begin("cancelled").dispose();
    time.advanceTimeBy(LIMIT.minusMillis(101));
    assertThat(ended).isEmpty();
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(ended).containsExactly("first", "shares its timer");
    time.advanceTimeBy(Duration.ofMillis(99));
    assertThat(ended).hasSize(2);
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(ended).containsExactly("first", "shares its timer", "own timer");
  }

  @Test
  void aSchedulerThatRejectsTimersSetsNoLimit() {
    Scheduler dead = Schedulers.newSingle("dead");
    dead.dispose();
    assertThat(new TimeLimit(LIMIT, dead).limit(Mono.just(1)).block()).isEqualTo(1);
  }
}
