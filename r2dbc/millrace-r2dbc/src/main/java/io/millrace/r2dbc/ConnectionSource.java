package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.r2dbc.InsertStatements.ArraysRefusedException;
import io.millrace.r2dbc.R2dbcTransactions.BodyFailure;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Acquires a connection, runs work on it, and returns the connection exactly once.
 *
 * <p>A cancel withdraws the request for a connection. Once the connection has arrived, a cancel
 * does not interrupt the work, because the connection's state would be unknown. A statement in
 * progress is awaited, and the transaction is rolled back. If the work does not end within {@link
 * AcquiredConnection#GRACE} of the cancel, the connection is closed.
 *
 * @param connections the connections of the source
 * @param kept keeps connections for later requests; null if each is closed after its use
 * @param dialect classifies failures
 * @param calls the threads on which the driver is called
 */
record ConnectionSource(
    Connections connections,
    @Nullable KeptConnections kept,
    R2dbcDialect dialect,
    DriverCalls calls) {

  /** A source that keeps connections if there is something to keep them. */
  static ConnectionSource of(
      Connections connections, @Nullable KeptConnections kept, R2dbcDialect dialect) {
    return new ConnectionSource(connections, kept, dialect, DriverCalls.of(dialect));
  }

  /** A source that keeps nothing. */
  static ConnectionSource of(Connections connections, R2dbcDialect dialect) {
    return of(connections, null, dialect);
  }

  /** The same connections, for work that may block the calling thread. */
  ConnectionSource offloaded() {
    return new ConnectionSource(connections, kept, dialect, calls.offloaded());
  }

  /** Whether work failed because its connection was lost or leads to an old server. */
  boolean isConnectionLost(Throwable failure) {
    FailureKind kind = Failures.kind(dialect, failure);
    return kind == FailureKind.CONNECTION_LOST && dialect.shouldEvict(kind);
  }

  /**
   * Whether the connection is closed after a failure. The fault may be the connection's unless the
   * failure has another meaning, or comes from the work itself.
   */
  boolean costsConnection(Throwable failure) {
    FailureKind kind = Failures.kind(dialect, failure);
    return dialect.shouldEvict(kind) && !(kind == FailureKind.OTHER && isOfWork(failure));
  }

  private static boolean isOfWork(Throwable failure) {
    return failure instanceof SequenceException
        || failure instanceof GroupFailedException
        || failure instanceof ArraysRefusedException
        || failure instanceof BodyFailure
        || GroupPhase.isMisuse(failure);
  }

  /** Runs work on a connection in autocommit, when subscribed to. */
  <T> Mono<T> use(Function<Connection, Mono<T>> work) {
    return acquire(false, work);
  }

  /** Runs work in a new transaction, and commits after its result. */
  <T> Mono<T> useInTransaction(Function<Connection, Mono<T>> work) {
    return acquire(true, work);
  }

  private <T> Mono<T> acquire(boolean inTransaction, Function<Connection, Mono<T>> work) {
    return Mono.create(sink -> new AcquiredConnection<>(sink, this, work, inTransaction).begin());
  }

  /** Takes a kept connection; null if there is none. */
  @Nullable Connection takeKept() {
    return kept == null ? null : kept.take();
  }

  /** Keeps or closes a connection whose work succeeded. */
  Mono<Void> returnConnection(Connection connection) {
    return Mono.fromSupplier(() -> kept != null && kept.keep(connection))
        .onErrorReturn(false)
        .flatMap(isKept -> isKept ? Mono.empty() : AcquiredConnection.call(connection::close));
  }
}
