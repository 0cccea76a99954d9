package io.millrace.insert.spi;

import io.millrace.insert.InsertTimeoutException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How long a database may take for one attempt at a transaction, or for one look-up.
 *
 * <p>All attempts share one timer, which stays set for up to a second when they end. So few
 * attempts set one. To set one wakes a thread of the scheduler, which costs as much as a tenth of a
 * short transaction.
 *
 * <p><b>Invariant.</b> While an attempt is under way, a timer is set that fires by its deadline: an
 * attempt is added before {@link #timer} is read, and {@link #timer} is reset before the attempts
 * are read.
 */
public final class TimeLimit {

  /** No limit. */
  public static final TimeLimit NONE = new TimeLimit(Duration.ZERO, null);

  /** The longest time that a timer is set for, in nanoseconds. */
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);

  /**
   * When an attempt is over.
   *
   * @param at in nanoseconds of the scheduler
   */
  private record Deadline(Scheduler scheduler, long at, MonoSink<Long> over) {

    long left() {
      return at - scheduler.now(TimeUnit.NANOSECONDS);
    }
  }

  private final Duration time;
  private final @Nullable Scheduler scheduler;

  /** Those of the attempts that are under way. */
  private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();

  /** Where a timer is set; null if none is. */
  private final AtomicReference<@Nullable Scheduler> timer = new AtomicReference<>();

  /**
   * Creates a limit that no attempt has.
   *
   * @param time the limit; zero for none
   * @param scheduler measures the time; null for {@code Schedulers.parallel()} at the time of the
   *     subscription
   */
  public TimeLimit(Duration time, @Nullable Scheduler scheduler) {
    this.time = Objects.requireNonNull(time, "time");
    this.scheduler = scheduler;
  }

  /**
   * Limits work. When the time is over, the work is cancelled first, and then the error is
   * signalled. So an error that tells how far the work has come can be made from its state.
   *
   * @param work what the database is asked for; its time starts at the subscription
   * @param <V> the type of the result
   * @return the result of the work. Errors: {@link InsertTimeoutException}, on a thread of the
   *     scheduler; or those of the work. If the scheduler refuses a timer, there is no limit
   */
  public <V> Mono<V> limit(Mono<V> work) {
    return time.isZero()
        ? work
        : work.timeout(
            Mono.create(this::begin), Mono.error(() -> new InsertTimeoutException(time)));
  }

  private void begin(MonoSink<Long> over) {
    Scheduler clock = scheduler == null ? Schedulers.parallel() : scheduler;
    Deadline deadline = new Deadline(clock, clock.now(TimeUnit.NANOSECONDS) + time.toNanos(), over);
    deadlines.add(deadline);
    over.onDispose(() -> deadlines.remove(deadline)); // at once, if the work has ended already
    setTimer(deadline);
  }

  private void setTimer(Deadline first) {
    Scheduler set = timer.get();
    if (set != first.scheduler() && timer.compareAndSet(set, first.scheduler())) {
      try {
        long wait = Math.max(0, Math.min(first.left(), LONGEST_WAIT));
        first.scheduler().schedule(() -> fire(first.scheduler()), wait, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException refused) {
        timer.compareAndSet(first.scheduler(), null);
      }
    }
  }

  /** Sets the next timer, then ends the attempts whose time is over. */
  private void fire(Scheduler fired) {
    timer.compareAndSet(fired, null);
    deadlines.stream()
        .filter(each -> each.scheduler() == fired && each.left() > 0)
        .min(Comparator.comparingLong(Deadline::left))
        .ifPresent(this::setTimer);
    for (Deadline each : deadlines) {
      if (each.scheduler() == fired && each.left() <= 0) {
        each.over().success(0L); // throws nothing: the error is signalled within a subscribe
      }
    }
  }

  @Override
  public String toString() {
    return "TimeLimit[" + time + "]";
  }
}
