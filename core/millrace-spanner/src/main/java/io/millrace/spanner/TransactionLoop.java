package io.millrace.spanner;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.DatabaseClient;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.internal.ConflictRetry;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The attempts of one transaction, one after the other. Each subscription has its own instance. One
 * attempt at a time, or the wait between two, uses its fields.
 *
 * <p>A retry begins a new transaction <em>from</em> the aborted one, and so keeps its priority on
 * multiplexed sessions. On other sessions the client ignores the aborted one. The retry begins only
 * after the server's delay plus a random wait. Restarting in the same transaction at once makes
 * contending transactions abort each other without end.
 */
final class TransactionLoop<T> implements ConflictRetry.Conflicts<AbortedException> {

  private final DatabaseClient client;
  private final SpannerTransactionOptions options;
  private final TimeLimit limit;
  private final Function<? super SpannerTransaction, ? extends Mono<T>> body;

  private final TransactionScope scope = new TransactionScope();

  private @Nullable AbortedException lastAbort;

  TransactionLoop(
      DatabaseClient client,
      SpannerTransactionOptions options,
      TimeLimit limit,
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    this.client = client;
    this.options = options;
    this.limit = limit;
    this.body = body;
  }

  Mono<CommittedTransaction<T>> run() {
    return options
        .retry()
        .runWithServerDelay(Mono.defer(this::attempt), this)
        .doFinally(end -> scope.end()); // after the result is delivered, so results come in order
  }

  private Mono<CommittedTransaction<T>> attempt() {
    return TransactionAttempt.run(client, options, limit, scope, lastAbort, body);
  }

  @Override
  public @Nullable AbortedException in(Throwable failure) {
    if (!(failure instanceof AttemptAborted aborted)) {
      return null;
    }
    lastAbort = aborted.abort();
    return lastAbort;
  }

  @Override
  public Duration delayAfter(AbortedException abort) {
    return Duration.ofMillis(Math.max(0, abort.getRetryDelayInMillis()));
  }
}
