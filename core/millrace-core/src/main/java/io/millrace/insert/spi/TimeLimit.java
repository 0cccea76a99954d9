package io.millrace.insert.spi;

import io.millrace.insert.InsertTimeoutException;
import io.millrace.internal.ReliableScheduler;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * The time limit of one attempt at a transaction, or of one look-up.
 *
 * <p>All attempts share one timer, which stays set for up to a second after they end, so few
 * attempts set one. Setting a timer wakes a thread of the scheduler, which is expensive compared
 * with a short transaction.
 *
 * <p><b>Invariant.</b> While an attempt is under way, a timer is set that fires by its deadline,
 * unless the scheduler rejected it. All attempts have the same limit, so none that is added later
 * is due earlier.
 */
public final class TimeLimit {

  /** No limit. */
  public static final TimeLimit NONE = new TimeLimit(Duration.ZERO, ReliableScheduler.PARALLEL);

  /** The longest time that a timer is set for, in nanoseconds. */
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);

  /**
   * When an attempt is over.
   *
   * @param at in nanoseconds of the scheduler
   */
  private record Deadline(long at, MonoSink<Long> over) {}

  private final Duration time;
  private final Scheduler scheduler;

  /** The attempts under way, in the order of their deadlines. Guarded by itself. */
  private final Set<Deadline> deadlines = new LinkedHashSet<>();

  /** Whether a timer is set. Guarded by {@link #deadlines}. */
  private boolean timed;

  /**
   * Creates a limit.
   *
   * @param time the limit; zero for none
   * @param scheduler measures the time
   */
  public TimeLimit(Duration time, Scheduler scheduler) {
    this.time = Objects.requireNonNull(time, "time");
    this.scheduler = ReliableScheduler.of(scheduler);
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
    Deadline deadline;
    synchronized (deadlines) {
      deadline = new Deadline(now() + time.toNanos(), over);
      deadlines.add(deadline);
    }
    over.onDispose(() -> end(deadline)); // at once, if the work has ended already
    setTimer();
  }

  private void end(Deadline deadline) {
    synchronized (deadlines) {
      deadlines.remove(deadline);
    }
  }

  /** Sets a timer for the first attempt, unless one is set. */
  private void setTimer() {
    long left;
    synchronized (deadlines) {
      if (timed || deadlines.isEmpty()) {
        return;
      }
      timed = true;
      left = deadlines.iterator().next().at() - now();
    }
    try {
      scheduler.schedule(
          this::fire, Math.max(0, Math.min(left, LONGEST_WAIT)), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException refused) {
      synchronized (deadlines) {
        timed = false;
      }
    }
  }

  private void fire() {
    boolean isShutDown = scheduler.isDisposed();
    List<Deadline> due;
    synchronized (deadlines) {
      timed = false;
      long now = now();
      due = deadlines.stream().takeWhile(each -> isShutDown || each.at() - now <= 0).toList();
      due.forEach(deadlines::remove);
    }
    setTimer();
    due.forEach(each -> each.over().success(0L));
  }

  private long now() {
    return scheduler.now(TimeUnit.NANOSECONDS);
  }
}
