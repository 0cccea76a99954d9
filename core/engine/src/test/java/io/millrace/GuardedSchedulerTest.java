package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A generator's scheduler may refuse and may have no time, but it throws nothing else. */
class GuardedSchedulerTest {

  private static void nothing() {}

  @Test
  void aTaskIsHandedOnWithItsDelayAndCanBeCancelled() {
    Disposable atOnce = Disposables.single();
    Disposable later = Disposables.single();
    Scheduler scheduler =
        new GuardedScheduler(
            new InlineScheduler() {
              @Override
              public Disposable schedule(Runnable task) {
                return atOnce;
              }

              @Override
              public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                assertThat(unit.toSeconds(delay)).isEqualTo(3);
                return later;
              }
            });
    assertThat(scheduler.schedule(GuardedSchedulerTest::nothing)).isSameAs(atOnce);
    assertThat(scheduler.schedule(GuardedSchedulerTest::nothing, 3, TimeUnit.SECONDS))
        .isSameAs(later);
  }

  @Test
  void aThrowInPlaceOfTakingATaskIsARefusal() {
    AssertionError thrown = new AssertionError("on purpose");
    Scheduler scheduler = new GuardedScheduler(new RefusingScheduler(() -> thrown));
    assertThatThrownBy(() -> scheduler.schedule(GuardedSchedulerTest::nothing))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("on purpose")
        .hasCause(thrown);
    assertThatThrownBy(
            () -> scheduler.schedule(GuardedSchedulerTest::nothing, 1, TimeUnit.MILLISECONDS))
        .isInstanceOf(RejectedExecutionException.class)
        .hasCause(thrown);
  }

  @Test
  void aRefusalIsPassedOnAsItIs() {
    RejectedExecutionException refusal = new RejectedExecutionException("full");
    Scheduler scheduler = new GuardedScheduler(new RefusingScheduler(() -> refusal));
    assertThatThrownBy(() -> scheduler.schedule(GuardedSchedulerTest::nothing)).isSameAs(refusal);
  }

  @Test
  void anErrorOfTheVirtualMachineIsNotARefusal() {
    StackOverflowError error = new StackOverflowError("on purpose");
    Scheduler scheduler = new GuardedScheduler(new RefusingScheduler(() -> error));
    assertThatThrownBy(() -> scheduler.schedule(GuardedSchedulerTest::nothing)).isSameAs(error);
  }

  @Test
  void bothClocksAreThoseOfTheScheduler() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    time.advanceTimeBy(Duration.ofSeconds(7));
    Scheduler scheduler = new GuardedScheduler(time);
    assertThat(scheduler.now(TimeUnit.SECONDS)).isEqualTo(7);
    assertThat(scheduler.now(TimeUnit.MILLISECONDS)).isEqualTo(7_000);
    assertThat(scheduler.now(TimeUnit.MICROSECONDS)).isEqualTo(7_000_000);
    assertThat(scheduler.now(TimeUnit.NANOSECONDS)).isEqualTo(7_000_000_000L);
  }

  @Test
  void aClockThatThrowsStandsStillForIntervalsAndIsReplacedForTheTimeOfDay() {
    boolean[] broken = {false};
    Scheduler scheduler =
        new GuardedScheduler(
            new InlineScheduler() {
              @Override
              public long now(TimeUnit unit) {
                if (broken[0]) {
                  throw new AssertionError("on purpose");
                }
                return unit.convert(42, TimeUnit.SECONDS);
              }
            });
    assertThat(scheduler.now(TimeUnit.NANOSECONDS)).isEqualTo(42_000_000_000L);
    broken[0] = true;
    assertThat(scheduler.now(TimeUnit.MICROSECONDS)).isEqualTo(42_000_000);
    long before = System.currentTimeMillis();
    assertThat(scheduler.now(TimeUnit.MILLISECONDS)).isBetween(before, System.currentTimeMillis());
  }

  @Test
  void itIsDisposedWhenTheSchedulerIs() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    Scheduler scheduler = new GuardedScheduler(time);
    assertThat(scheduler.isDisposed()).isFalse();
    time.dispose();
    assertThat(scheduler.isDisposed()).isTrue();
  }
}
