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
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The time limit of one attempt at a transaction, or of one look-up.
 *
 * <p>All attempts share one timer, which stays set for up to a second after they end, so few
 * attempts set one. Setting a timer wakes a thread of the scheduler, which is expensive compared
 * with a short transaction.
 *
 * <p><b>Invariant.</b> While an attempt is under way, a timer is set that fires by its deadline. An
 * attempt is added before {@link #timer} is read. A timer that fires sets the next one, for the
 * first deadline, or resets {@link #timer} and then looks for attempts again. All attempts have the
 * same limit, so none that is added meanwhile is due earlier.
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
   * @param <V> the type of the result
   * @return the result. Errors: {@link InsertTimeoutException}, on a thread of the scheduler; or
   *     those of the request. If the scheduler rejects a timer, there is no limit
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
      schedule(first);
    }
  }

  /** Sets a timer, which {@link #timer} says is set. */
  private void schedule(Deadline first) {
    Scheduler on = first.scheduler();
    boolean isSet = false;
    try {
      long wait = Math.max(0, Math.min(first.left(), LONGEST_WAIT));
      on.schedule(() -> fire(on), wait, TimeUnit.NANOSECONDS);
      isSet = true;
    } catch (RejectedExecutionException refused) {
      LOGGER.debug(
          "An attempt has no time limit, because its scheduler rejected the timer", refused);
    } finally {
      if (!isSet) {
        timer.compareAndSet(on, null);
      }
    }
  }

  private void fire(Scheduler fired) {
    try {
      Deadline next = first(fired);
      if (next != null && timer.get() == fired) {
        schedule(next);
      } else if (timer.compareAndSet(fired, null)) {
        Deadline added = first(fired);
        if (added != null) {
          setTimer(added);
        }
      }
    } finally {
      for (Deadline each : deadlines) {
        if (each.scheduler() == fired && each.left() <= 0) {
          each.over().success(0L); // throws nothing: the error is signalled within a subscribe
        }
      }
    }
  }

  /** The first deadline that is not over; null if there is none. */
  private @Nullable Deadline first(Scheduler on) {
    return deadlines.stream()
        .filter(each -> each.scheduler() == on && each.left() > 0)
        .min(Comparator.comparingLong(Deadline::left))
        .orElse(null);
  }

  @Override
  public String toString() {
    return "TimeLimit[" + time + "]";
  }
}
