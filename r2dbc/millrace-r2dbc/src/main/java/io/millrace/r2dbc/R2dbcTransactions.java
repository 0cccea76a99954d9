package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.internal.ConflictRetry;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Runs transactions over R2DBC as a {@code Mono}: acquires a connection, begins, runs the body,
 * commits or rolls back, and returns the connection.
 *
 * <pre>{@code
 * R2dbcTransactions transactions = R2dbcTransactions.over(connectionFactory);
 *
 * Mono<Order> saved = transactions.readWrite(connection ->
 *     reserveStock(connection, order).flatMap(reserved ->
 *         numbers.next(connection).flatMap(number ->
 *             insert(connection, reserved.withNumber(number)))));
 * }</pre>
 *
 * <p>Thread-safe. Create one object for each source of connections.
 */
public final class R2dbcTransactions {

  private final Connections connections;
  private final Mono<R2dbcDialect> dialect;

  private R2dbcTransactions(ConnectionFactory connections, Mono<R2dbcDialect> dialect) {
    this.connections = Connections.of(connections);
    this.dialect = dialect;
  }

  /**
   * Returns transactions on the connections of a source. {@link R2dbcDialect#of} detects the
   * dialect with the first transaction.
   *
   * @param connections the source of connections, which must be in autocommit mode; for example, a
   *     pool
   */
  public static R2dbcTransactions over(ConnectionFactory connections) {
    return new R2dbcTransactions(
        Objects.requireNonNull(connections, "connections"), R2dbcDialect.of(connections));
  }

  /**
   * Returns transactions on the connections of a source with a known dialect.
   *
   * @param connections the source of connections, which must be in autocommit mode
   * @param dialect the dialect, which determines which failures are conflicts
   */
  public static R2dbcTransactions over(ConnectionFactory connections, R2dbcDialect dialect) {
    return new R2dbcTransactions(
        Objects.requireNonNull(connections, "connections"),
        Mono.just(Objects.requireNonNull(dialect, "dialect")));
  }

  /**
   * Runs a transaction. Nothing happens before subscription. Each subscription runs a new
   * transaction, with the isolation level of the connection. The body's value is emitted after the
   * commit has been acknowledged; a body that completes empty also commits. The body sees the
   * subscriber's Reactor Context. It must not begin, commit or roll back a transaction, or close
   * the connection.
   *
   * <p><b>Retries.</b> A transaction that the database ends because of a conflict ({@link
   * ErrorCategory#CONFLICT}) is retried, including the body, after a random delay: up to 100
   * attempts, which begin within a minute. The body must therefore have no effects outside the
   * transaction. A conflict inside a {@link TransactionRetriesExhaustedException} or a {@link
   * SequenceException} belongs to another transaction and is not retried.
   *
   * <p><b>Cancelling</b> withdraws a pending request for a connection. After that it does not
   * interrupt the body, because a statement that is being sent could then run outside the
   * transaction. When the body ends, the transaction is rolled back, unless the commit was already
   * sent. If the body does not end within a second, the driver's connection is closed; H2's is
   * waited for. The outcome is not reported to the subscriber.
   *
   * <p><b>Threads.</b> The body is called and the result is delivered on a driver thread, which
   * must not be blocked, or on {@code Schedulers.boundedElastic()} if the driver {@linkplain
   * R2dbcDialect#isBlocking() blocks}. This also applies to retries.
   *
   * <p><b>Errors.</b> If the body fails or throws, the transaction is rolled back and the error is
   * passed on unchanged. The connection is closed only if the error is or is caused by an {@code
   * R2dbcException} that may indicate a faulty connection. {@link
   * TransactionRetriesExhaustedException}: too many conflicts. {@link IllegalStateException}: the
   * connection was not in autocommit mode when it was acquired. {@link HungConnectionsException}:
   * cancelled work hangs on too many connections. Other errors come from the driver; if the
   * connection broke during the commit, it is unknown whether the transaction took effect.
   *
   * @param body the work of the transaction; called once per attempt
   * @return the body's value, after the transaction has committed
   */
  public <T> Mono<T> readWrite(Function<? super Connection, ? extends Mono<T>> body) {
    Objects.requireNonNull(body, "body");
    return dialect.flatMap(
        known ->
            ConflictRetry.DEFAULTS
                .run(attempt(known, body), failure -> Failures.isConflict(known, failure))
                .flatMap(Mono::justOrEmpty));
  }

  private <T> Mono<Optional<T>> attempt(
      R2dbcDialect known, Function<? super Connection, ? extends Mono<T>> body) {
    return connections.useInTransaction(
        known,
        connection -> {
          Mono<Optional<T>> work =
              Mono.<T>defer(
                      () ->
                          Objects.requireNonNull(
                              body.apply(connection),
                              "the body of the transaction returned null instead of a Mono"))
                  .map(Optional::of)
                  .defaultIfEmpty(Optional.empty());
          return known.isBlocking() ? work.publishOn(Schedulers.boundedElastic()) : work;
        });
  }
}
