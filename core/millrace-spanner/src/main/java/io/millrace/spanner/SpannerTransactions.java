package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.insert.spi.TimeLimit;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Runs non-blocking read-write transactions on Cloud Spanner.
 *
 * <pre>{@code
 * Mono<Long> id = SpannerTransactions.readWrite(client, tx ->
 *     invoices.next(tx).doOnNext(n -> tx.buffer(invoiceWithId(n))));
 * }</pre>
 */
public final class SpannerTransactions {

  private SpannerTransactions() {}

  /**
   * Runs a read-write transaction with the {@linkplain SpannerTransactionOptions#defaults()
   * default} options.
   *
   * @param body the work of the transaction
   * @return as for {@link #readWrite(DatabaseClient, SpannerTransactionOptions, Function)}
   */
  public static <T> Mono<T> readWrite(
      DatabaseClient client, Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    return readWrite(client, SpannerTransactionOptions.defaults(), body);
  }

  /**
   * Runs a read-write transaction: the body, then the commit.
   *
   * <p>Nothing happens before subscription. Every subscription runs a separate transaction. The
   * body's value is emitted after the commit was acknowledged; a body that completes empty also
   * commits, and the result is empty. The subscriber's Reactor {@code Context} is visible inside
   * the body.
   *
   * <p><b>Retries.</b> When Spanner aborts the transaction, the whole body is run again in a new
   * attempt, after the delay described in {@link SpannerTransactionOptions}; on multiplexed
   * sessions, the client's default, it keeps the priority of the old one. The body must therefore
   * have no side effects outside the transaction. It is also run once more if its first statement
   * fails and the body continues regardless: that statement would have begun the transaction, so a
   * separate request begins it this time.
   *
   * <p><b>Cancelling</b> before the commit is sent rolls back. Later, it neither stops the commit
   * nor waits for it, and the subscriber does not learn the outcome.
   *
   * <p><b>Threads.</b> The body is first called on the subscribing thread, or on {@code
   * Schedulers.boundedElastic()} while the client has no session yet, and in a retry on {@code
   * Schedulers.parallel()} or a thread of the client; the result is delivered on a thread of the
   * client. None of them may be blocked.
   *
   * <p><b>Errors.</b> An error of the body, or an exception that it throws, rolls back. It is
   * signalled unchanged, once Spanner has answered the rollback or after 10 seconds. {@link
   * TransactionRetriesExhaustedException}: every attempt was aborted. {@link
   * CommitOutcomeUnknownException}: the commit's answer is {@code UNAVAILABLE}, {@code
   * DEADLINE_EXCEEDED}, {@code UNKNOWN}, {@code INTERNAL}, {@code RESOURCE_EXHAUSTED}, {@code
   * CANCELLED}, {@code DATA_LOSS} or not from Spanner; the body is not run again. Any other answer
   * is a rejection without effect, signalled as the client's {@code SpannerException}.
   *
   * @param options limits of the retries, tag, priority
   * @param body the work of the transaction; called once in each attempt
   * @return the body's value, once the transaction is committed
   */
  public static <T> Mono<T> readWrite(
      DatabaseClient client,
      SpannerTransactionOptions options,
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(body, "body");
    return committed(client, options, TimeLimit.NONE, body)
        .flatMap(transaction -> Mono.justOrEmpty(transaction.result()));
  }

  /** The same transaction, with its commit timestamp. The limit holds for each attempt. */
  static <T> Mono<CommittedTransaction<T>> committed(
      DatabaseClient client,
      SpannerTransactionOptions options,
      TimeLimit limit,
      Function<? super SpannerTransaction, ? extends Mono<T>> body) {
    return Mono.defer(
        () -> {
          TransactionScope scope = new TransactionScope();
          Mono<CommittedTransaction<T>> attempt =
              Mono.defer(() -> TransactionAttempt.run(client, options, limit, scope, body));
          return options
              .retry()
              .runWithServerDelay(attempt, scope)
              .doFinally(end -> scope.end()); // after the result is delivered: results in order
        });
  }
}
