package io.millrace.internal;

import io.millrace.InvalidOptionException;
import io.millrace.TransactionRetriesExhaustedException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Retries transactions that lost a conflict, each as a whole. The wait before each retry is the
 * delay that the database asks for plus a random time, whose range doubles with every attempt
 * ("full jitter": Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 *
 * @param maxAttempts how many times a transaction is attempted, 1 or more
 * @param maxRetryTime the time after the start of the first attempt in which others may start
 * @param minBackoff the largest random wait before the second attempt
 * @param maxBackoff the largest random wait before any attempt
 */
public record ConflictRetry(
    int maxAttempts, Duration maxRetryTime, Duration minBackoff, Duration maxBackoff) {

  /** 100 attempts within a minute, with random waits of up to 20 to 500 ms. */
  public static final ConflictRetry DEFAULTS =
      new ConflictRetry(100, Duration.ofMinutes(1), Duration.ofMillis(20), Duration.ofMillis(500));

  private static final int MAX_DOUBLINGS = 30;

  /** Recognizes conflicts among failures. */
  public interface Conflicts<C extends Throwable> {

    /**
     * Returns the conflict that made an attempt fail.
     *
     * @return null if it is not a conflict
     */
    @Nullable C in(Throwable failure);

    /**
     * Returns the delay that the database asks for.
     *
     * @return zero if it asks for none
     */
    default Duration delayAfter(C conflict) {
      return Duration.ZERO;
    }
  }

  /**
   * Changes the number of attempts.
   *
   * @param attempts 1 or more
   * @throws InvalidOptionException if {@code attempts} is below 1
   */
  public ConflictRetry withMaxAttempts(int attempts) {
    if (attempts < 1) {
      throw new InvalidOptionException("maxAttempts", attempts, "must be at least 1");
    }
    return new ConflictRetry(attempts, maxRetryTime, minBackoff, maxBackoff);
  }

  /**
   * Changes the time in which attempts may start.
   *
   * @param time more than zero
   * @throws InvalidOptionException if {@code time} is zero or negative
   */
  public ConflictRetry withMaxRetryTime(Duration time) {
    if (time.isZero() || time.isNegative()) {
      throw new InvalidOptionException("maxRetryTime", time, "must be more than zero");
    }
    return new ConflictRetry(maxAttempts, time, minBackoff, maxBackoff);
  }

  /**
   * Runs work, and runs it again after each conflict, within the limits.
   *
   * @param work one attempt
   * @return the result of the work. Errors: {@link TransactionRetriesExhaustedException}; or an
   *     error of the work that is no conflict
   */
  public <T> Mono<T> run(Mono<T> work, Predicate<Throwable> isConflict) {
    Conflicts<Throwable> conflicts = failure -> isConflict.test(failure) ? failure : null;
    return runWithServerDelay(work, conflicts);
  }

  /** The same, for databases that ask for a delay. */
  public <T, C extends Throwable> Mono<T> runWithServerDelay(Mono<T> work, Conflicts<C> conflicts) {
    return Mono.defer(
        () -> {
          Scheduler timer = Schedulers.parallel();
          long start = timer.now(TimeUnit.NANOSECONDS);
          Function<Retry.RetrySignal, Mono<Long>> pause =
              signal -> {
                C conflict = conflicts.in(signal.failure());
                return conflict == null
                    ? Mono.error(signal.failure())
                    : pause(
                        signal.totalRetries() + 1,
                        Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - start),
                        conflict,
                        conflicts.delayAfter(conflict),
                        timer);
              };
          return work.retryWhen(Retry.from(failures -> failures.concatMap(pause)));
        });
  }

  private Mono<Long> pause(
      long attempts, Duration elapsed, Throwable conflict, Duration serverDelay, Scheduler timer) {
    Duration delay = serverDelay.plusNanos(jitter(attempts));
    String limits = maxAttempts + " attempts and " + maxRetryTime;
    return attempts >= maxAttempts || elapsed.plus(delay).compareTo(maxRetryTime) > 0
        ? Mono.error(
            new TransactionRetriesExhaustedException((int) attempts, elapsed, limits, conflict))
        : Mono.delay(delay, timer);
  }

  private long jitter(long attempts) {
    int doublings = (int) Math.min(attempts - 1, MAX_DOUBLINGS);
    double doubled = (double) minBackoff.toNanos() * (1L << doublings);
    long range = (long) Math.min(doubled, maxBackoff.toNanos());
    return ThreadLocalRandom.current().nextLong(range) + 1;
  }
}
