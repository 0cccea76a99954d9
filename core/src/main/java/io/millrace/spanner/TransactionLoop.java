package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.DatabaseClient;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * The attempts of one transaction, one after the other. One instance a subscription; its fields are
 * touched by one attempt, or the wait between two, at a time.
 *
 * <p>A retry begins a new transaction <em>from</em> the aborted one, by which it keeps its priority
 * (on multiplexed sessions; on others the client ignores the aborted one), and only after the
 * server's delay plus a random wait. Starting over in the same transaction at once makes contending
 * transactions abort each other without end.
 */
final class TransactionLoop<T> {

  private static final int MAX_DOUBLINGS = 30;

  private final DatabaseClient client;
  private final SpannerTransactionOptions options;
  private final Function<? super SpannerTransaction, ? extends Mono<T>> body;
  private final Scheduler timer = Schedulers.parallel();
  private final long startedAt = timer.now(TimeUnit.NANOSECONDS);

  private int attempts;
  private @Nullable AbortedException lastAbort;

  TransactionLoop(
      DatabaseClient client,
      SpannerTransactionOptions options,
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    this.client = client;
    this.options = options;
    this.body = body;
  }

  Mono<CommittedTransaction<T>> run() {
    return Mono.defer(this::attempt)
        .retryWhen(
            Retry.from(failures -> failures.concatMap(failure -> beforeRetry(failure.failure()))));
  }

  private Mono<CommittedTransaction<T>> attempt() {
    attempts++;
    return TransactionAttempt.run(client, options, lastAbort, body);
  }

  private Mono<Long> beforeRetry(Throwable failure) {
    if (!(failure instanceof AttemptAborted aborted)) {
      return Mono.error(failure);
    }
    lastAbort = aborted.abort();
    Duration elapsed = Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - startedAt);
    Duration delay = delay(aborted.abort());
    if (attempts >= options.maxAttempts()
        || elapsed.plus(delay).compareTo(options.maxRetryTime()) > 0) {
      return Mono.error(
          new TransactionRetriesExhaustedException(attempts, elapsed, options, aborted.abort()));
    }
    return Mono.delay(delay, timer);
  }

  /** What the server asks for, plus a random wait whose range doubles with every attempt. */
  private Duration delay(AbortedException abort) {
    int doublings = Math.min(attempts - 1, MAX_DOUBLINGS);
    double doubled = (double) options.minBackoff().toNanos() * (1L << doublings);
    long range = (long) Math.min(doubled, options.maxBackoff().toNanos());
    return Duration.ofMillis(Math.max(0, abort.getRetryDelayInMillis()))
        .plusNanos(ThreadLocalRandom.current().nextLong(range) + 1);
  }
}
