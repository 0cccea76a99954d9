package io.millrace.r2dbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * How transactions that lost a conflict are run again, each as a whole, after a random wait whose
 * range doubles with every attempt.
 *
 * @param maxAttempts how often a transaction is attempted, 1 or more
 * @param maxRetryTime how long after the first attempt's start another may start
 * @param minBackoff the largest random wait before the second attempt
 * @param maxBackoff the largest random wait before any attempt
 */
record Conflicts(int maxAttempts, Duration maxRetryTime, Duration minBackoff, Duration maxBackoff) {

  private static final int MAX_DOUBLINGS = 30;

  static final Conflicts DEFAULTS =
      new Conflicts(100, Duration.ofMinutes(1), Duration.ofMillis(20), Duration.ofMillis(500));

  /** Runs work until it does not lose a conflict, within the limits. */
  <T> Mono<T> retry(Mono<T> work, Predicate<Throwable> isConflict) {
    return Mono.defer(
        () -> {
          Scheduler timer = Schedulers.parallel();
          long start = timer.now(TimeUnit.NANOSECONDS);
          return work.retryWhen(
              Retry.from(
                  failures ->
                      failures.concatMap(
                          signal ->
                              isConflict.test(signal.failure())
                                  ? pause(
                                      signal.totalRetries() + 1,
                                      Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - start),
                                      signal.failure(),
                                      timer)
                                  : Mono.error(signal.failure()))));
        });
  }

  private Mono<Long> pause(long attempts, Duration elapsed, Throwable conflict, Scheduler timer) {
    Duration delay = delay(attempts);
    return attempts >= maxAttempts || elapsed.plus(delay).compareTo(maxRetryTime) > 0
        ? Mono.error(
            new TransactionRetriesExhaustedException((int) attempts, elapsed, this, conflict))
        : Mono.delay(delay, timer);
  }

  private Duration delay(long attempts) {
    int doublings = (int) Math.min(attempts - 1, MAX_DOUBLINGS);
    double doubled = (double) minBackoff.toNanos() * (1L << doublings);
    long range = (long) Math.min(doubled, maxBackoff.toNanos());
    return Duration.ofNanos(ThreadLocalRandom.current().nextLong(range) + 1);
  }
}
