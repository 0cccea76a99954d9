package io.millrace.insert.spi;

import io.millrace.insert.InsertTimeoutException;
import io.millrace.internal.ReliableScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The time limit of one attempt at a transaction, or of one look-up.
 *
 * <p>All attempts share one timer, which stays set for up to a second after they end, so few
 * attempts set one. Setting a timer wakes a thread of the scheduler, which is expensive compared
 * with a short transaction.
 *
 * <p><b>Invariant.</b> While an attempt is under way, a timer is set that fires by its deadline,
 * unless the scheduler rejected it. An attempt is added, and a timer that fires finds the next one,
 * under the lock. All attempts have the same limit, so none that is added later is due earlier.
 */
public final class TimeLimit {

  /** No limit. */
  public static final TimeLimit NONE = new TimeLimit(Duration.ZERO, null);

  private static final Logger LOGGER = Loggers.getLogger(TimeLimit.class);

  /** The longest time that a timer is set for, in nanoseconds. */
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);

  /**
   * When an attempt is over.
   *
   * @param at in nanoseconds of the scheduler
   */
  private record Deadline(Scheduler scheduler, long at, MonoSink<Long> over) {}

  private final Duration time;
  private final @Nullable Scheduler scheduler;

  /** Guards the fields below. No other code is called under it, but for the time. */
  private final Object lock = new Object();

  /** Those of the attempts that are under way; of one scheduler in the order of their deadlines. */
  private final Set<Deadline> deadlines = new LinkedHashSet<>();

  /** Where a timer is set. */
  private final Set<Scheduler> timers = new HashSet<>();

  /**
   * Creates a limit.
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
   * Limits the time of a request. At the time limit, the request is cancelled before the error is
   * signalled, so an error can be derived from its state.
   *
   * @param work the request; its time starts at the subscription
   * @return the result. Errors: {@link InsertTimeoutException}, on a thread of the scheduler; or
   *     those of the request. If the scheduler rejects a timer, there is no limit until a later
   *     attempt sets one. If it is shut down during an attempt, the limit is reached
   */
  public <V> Mono<V> limit(Mono<V> work) {
    return time.isZero()
        ? work
        : work.timeout(
            Mono.create(this::begin), Mono.error(() -> new InsertTimeoutException(time)));
  }

  private void begin(MonoSink<Long> over) {
    Scheduler clock = scheduler == null ? Schedulers.parallel() : scheduler;
    Deadline deadline;
    synchronized (lock) {
      deadline = new Deadline(clock, clock.now(TimeUnit.NANOSECONDS) + time.toNanos(), over);
      deadlines.add(deadline);
    }
    over.onDispose(() -> end(deadline)); // at once, if the work has ended already
    boolean isFirst;
    synchronized (lock) {
      isFirst = timers.add(clock);
    }
    if (isFirst) {
      setTimer(deadline);
    }
  }

  private void end(Deadline deadline) {
    synchronized (lock) {
      deadlines.remove(deadline);
    }
  }

  /** Sets a timer, which {@link #timers} has already; false if the scheduler rejects it. */
  private boolean setTimer(Deadline first) {
    Scheduler on = first.scheduler();
    long left = first.at() - on.now(TimeUnit.NANOSECONDS);
    try {
      ReliableScheduler.of(on)
          .schedule(
              () -> fire(on), Math.max(0, Math.min(left, LONGEST_WAIT)), TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException refused) {
      LOGGER.debug(
          "An attempt has no time limit, because its scheduler rejected the timer", refused);
      synchronized (lock) {
        timers.remove(on);
      }
      return false;
    }
  }

  private void fire(Scheduler fired) {
    List<Deadline> due = new ArrayList<>();
    Deadline next;
    synchronized (lock) {
      timers.remove(fired);
      next = collectDue(fired, due);
      if (next != null) {
        timers.add(fired);
      }
    }
    if (next != null && !setTimer(next)) {
      synchronized (lock) {
        deadlines.stream().filter(each -> each.scheduler() == fired).forEach(due::add);
      }
    }
    for (Deadline each : due) {
      each.over().success(0L);
    }
  }

  /** Collects those that are due, and returns the first other; null if there is none. */
  private @Nullable Deadline collectDue(Scheduler on, List<Deadline> due) {
    long now = on.now(TimeUnit.NANOSECONDS);
    for (Deadline each : deadlines) {
      if (each.scheduler() == on) {
        if (each.at() - now > 0) {
          return each;
        }
        due.add(each);
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "TimeLimit[" + time + "]";
  }
}
