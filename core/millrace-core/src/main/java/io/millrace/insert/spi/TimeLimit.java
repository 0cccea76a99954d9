package io.millrace.insert.spi;

import io.millrace.insert.InsertTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The time limit of one attempt at a transaction, or of one look-up.
 *
 * <p>Attempts that begin within a hundredth of the limit share the timer of the first. Setting a
 * timer wakes a thread of the scheduler, which is expensive compared with a short transaction. A
 * timer that nobody needs any more runs until its end.
 */
public final class TimeLimit {

  /** No limit. */
  public static final TimeLimit NONE = new TimeLimit(Duration.ZERO, Schedulers.immediate());

  private final Duration time;
  private final Scheduler scheduler;

  /** The timer of the latest attempts. Guarded by this. */
  private @Nullable Mono<Long> timer;

  /** When the timer was set, in nanoseconds of the scheduler. Guarded by this. */
  private long setAt;

  /**
   * Creates a limit.
   *
   * @param time the limit; zero for none
   * @param scheduler measures the time
   */
  public TimeLimit(Duration time, Scheduler scheduler) {
    this.time = Objects.requireNonNull(time, "time");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
  }

  /**
   * Limits the time of a request. At the time limit, the request is cancelled before the error is
   * signalled, so an error can be derived from its state.
   *
   * @param work the request; its time starts at the subscription, or up to a hundredth earlier
   * @return the result. Errors: {@link InsertTimeoutException}, on a thread of the scheduler; or
   *     those of the request
   */
  public <V> Mono<V> limit(Mono<V> work) {
    return time.isZero()
        ? work
        : work.timeout(Mono.defer(this::timer), Mono.error(() -> new InsertTimeoutException(time)));
  }

  private synchronized Mono<Long> timer() {
    long now = scheduler.now(TimeUnit.NANOSECONDS);
    if (timer == null || now - setAt >= time.toNanos() / 100) {
      setAt = now;
      timer =
          Mono.delay(time, scheduler)
              .onErrorResume(RejectedExecutionException.class, rejected -> Mono.never())
              .cache();
    }
    return timer;
  }
}
