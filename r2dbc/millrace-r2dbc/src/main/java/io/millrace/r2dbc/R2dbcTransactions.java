package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.TransactionalSequence;
import io.millrace.internal.CommitHooks;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.GuardedCall;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Transactions over R2DBC as a {@code Mono}: a connection, the begin, the body, the functions of
 * {@link TransactionalSequence#atCommit}, the commit or else the rollback, and the return of the
 * connection.
 *
 * <pre>{@code
 * R2dbcTransactions transactions = R2dbcTransactions.over(connectionFactory);
 *
 * Mono<Order> saved = transactions.readWrite(connection ->
 *         reserveStock(connection, order).flatMap(reserved ->
 *             numbers.atCommit(connection, number -> insert(connection, reserved.withNumber(number)))))
 *     .flatMap(numbered -> numbered);
 * }</pre>
 *
 * <p>Safe for use by any number of transactions at once. Make one object for each source of
 * connections.
 */
public final class R2dbcTransactions {

  private final Connections connections;
  private final Mono<R2dbcDialect> dialect;

  /** Where the Reactor Context of a transaction on this connection has its {@link CommitHooks}. */
  private record HooksKey(Connection connection) {}

  /**
   * A failure that does not come from the transaction's connection, on its way to the rollback. It
   * has no cause, so that nothing takes the failure for one of the connection.
   */
  static final class BodyFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Throwable failure;

    BodyFailure(Throwable failure) {
      super(failure.getClass().getName(), null, false, false);
      this.failure = failure;
    }
  }

  private R2dbcTransactions(ConnectionFactory connections, Mono<R2dbcDialect> dialect) {
    this.connections = new Connections(connections);
    this.dialect = dialect;
  }

  /**
   * Transactions on the connections of a source. {@link R2dbcDialect#of} finds the dialect with the
   * first transaction.
   *
   * @param connections gives connections, which must be in autocommit; a pool, for example
   * @return the transactions
   */
  public static R2dbcTransactions over(ConnectionFactory connections) {
    return new R2dbcTransactions(
        Objects.requireNonNull(connections, "connections"), R2dbcDialect.of(connections));
  }

  /**
   * The same for a database whose dialect is known.
   *
   * @param connections gives connections, which must be in autocommit
   * @param dialect tells which failures are conflicts
   * @return the transactions
   */
  public static R2dbcTransactions over(ConnectionFactory connections, R2dbcDialect dialect) {
    return new R2dbcTransactions(
        Objects.requireNonNull(connections, "connections"),
        Mono.just(Objects.requireNonNull(dialect, "dialect")));
  }

  /**
   * Runs a transaction. Nothing happens before subscription, and every subscription runs a
   * transaction of its own, with the isolation level of the connection. The body's value is emitted
   * after the commit was acknowledged; a body that completes empty commits, too. The body sees the
   * subscriber's Reactor Context, and must not begin, commit, roll back or close.
   *
   * <p><b>Retries.</b> A transaction that the database ends because of a conflict ({@link
   * FailureKind#CONFLICT}) is run again, body included, after a random wait: at most 100 times,
   * within a minute. So the body must not have effects outside the transaction. A conflict inside a
   * {@link TransactionRetriesExhaustedException} or a {@link SequenceException} is that of another
   * transaction, and is not tried again.
   *
   * <p><b>Cancelling</b> withdraws the request for a connection. Later it does not interrupt the
   * body, because a statement that is being sent could then run outside the transaction. The body
   * ends, no number is taken and no function of {@code atCommit} is called after that, and the
   * transaction is rolled back, unless the commit was sent. If the body does not end within a
   * second, the driver's connection is closed. The subscriber does not learn the outcome.
   *
   * <p><b>Threads.</b> The body is called, and the result comes, on a thread of the driver, which
   * must not be blocked, or on {@code Schedulers.boundedElastic()} if the driver {@linkplain
   * R2dbcDialect#isBlocking() blocks}. This holds for retries, too.
   *
   * <p><b>Errors.</b> An error of the body, or an exception that it throws, rolls back and arrives
   * unchanged. The connection is closed only if the error is an {@code R2dbcException}, or has one
   * as its cause, that may be the connection's. {@link TransactionRetriesExhaustedException}: too
   * many conflicts. {@link IllegalStateException}: the connection is not in autocommit when it is
   * acquired. {@link HungConnectionsException}: cancelled work hangs on too many connections. Other
   * errors are the driver's; if the connection broke during the commit, it is unknown whether the
   * transaction took effect.
   *
   * @param body what to do in the transaction; called once in each attempt
   * @param <T> the type of the result
   * @return the body's value, once the transaction is committed
   */
  public <T> Mono<T> readWrite(Function<? super Connection, ? extends Mono<T>> body) {
    Objects.requireNonNull(body, "body");
    return dialect.flatMap(
        known ->
            ConflictRetry.DEFAULTS
                .run(attempt(known, body), failure -> isConflict(known, failure))
                .flatMap(Mono::justOrEmpty));
  }

  private static boolean isConflict(R2dbcDialect known, Throwable failure) {
    return known.failure(failure) == FailureKind.CONFLICT && !isOfAnotherTransaction(failure);
  }

  /** The library's transactions leave their own conflicts as the driver reports them. */
  private static boolean isOfAnotherTransaction(Throwable failure) {
    return FailureRule.causes(failure)
        .anyMatch(
            cause ->
                cause instanceof SequenceException
                    || cause instanceof TransactionRetriesExhaustedException);
  }

  private static Throwable marked(Throwable failure) {
    return FailureRule.causes(failure).anyMatch(R2dbcException.class::isInstance)
            && !isOfAnotherTransaction(failure)
        ? failure
        : new BodyFailure(failure);
  }

  private <T> Mono<Optional<T>> attempt(
      R2dbcDialect known, Function<? super Connection, ? extends Mono<T>> body) {
    return Mono.defer(
        () -> {
          CommitHooks hooks = new CommitHooks();
          return ConnectionSource.of(connections, known)
              .useInTransaction(
                  connection -> {
                    Mono<Optional<T>> work = work(connection, hooks, body);
                    return known.isBlocking() ? work.publishOn(Schedulers.boundedElastic()) : work;
                  })
              .onErrorMap(BodyFailure.class, marked -> marked.failure)
              .doOnCancel(hooks::close);
        });
  }

  private static <T> Mono<Optional<T>> work(
      Connection connection,
      CommitHooks hooks,
      Function<? super Connection, ? extends Mono<T>> body) {
    return GuardedCall.<T>mono(
            () ->
                Objects.requireNonNull(
                    body.apply(connection),
                    "the body of the transaction returned null instead of a Mono"))
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(result -> hooks.run().thenReturn(result))
        .doOnError(failure -> hooks.close())
        .onErrorMap(R2dbcTransactions::marked)
        .contextWrite(context -> context.put(key(connection), hooks));
  }

  private static HooksKey key(Connection connection) {
    return new HooksKey(Connections.innermost(connection));
  }

  /** What runs before the commit of the transaction on a connection. */
  static CommitHooks hooks(ContextView context, Connection connection) {
    return context
        .<CommitHooks>getOrEmpty(key(connection))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "a connection does not tell when it is about to commit: run the transaction with"
                        + " R2dbcTransactions, in Spring use a SpringTransactionalSequence, or call"
                        + " next(connection) last"));
  }

  @Override
  public String toString() {
    return "R2dbcTransactions";
  }
}
