package io.millrace.insert.spi;

import io.millrace.insert.InsertTimeoutException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How long a database may take for one attempt at a transaction, or for one look-up.
 *
 * @param time the limit; zero for none
 * @param timer the scheduler that measures the time; null for {@code Schedulers.parallel()} at the
 *     time of the subscription
 */
public record TimeLimit(Duration time, @Nullable Scheduler timer) {

  /** No limit. */
  public static final TimeLimit NONE = new TimeLimit(Duration.ZERO, null);

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
            Mono.defer(() -> Mono.delay(time, timer == null ? Schedulers.parallel() : timer))
                .onErrorResume(RejectedExecutionException.class, refused -> Mono.never()),
            Mono.error(() -> new InsertTimeoutException(time)));
  }
}
