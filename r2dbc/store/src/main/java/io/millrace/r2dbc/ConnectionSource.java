package io.millrace.r2dbc;

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
 * @param connections gives connections
 * @param kept keeps connections for later requests; null if each is closed after its use
 * @param calls on what threads the driver is called
 */
record ConnectionSource(
    Connections connections, @Nullable KeptConnections kept, DriverCalls calls) {

  /** A source that keeps nothing. */
  static ConnectionSource of(Connections connections, DriverCalls calls) {
    return new ConnectionSource(connections, null, calls);
  }

  /** The same connections, for work that may block the calling thread. */
  ConnectionSource offloaded() {
    return new ConnectionSource(connections, kept, calls.offloaded());
  }

  /** Runs work on a connection in autocommit, when subscribed to. */
  <T> Mono<T> use(Function<Connection, Mono<T>> work) {
    return acquire(false, work);
  }

  /** Runs work in a transaction of its own, and commits after its result. */
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
    return kept != null && kept.keep(connection)
        ? Mono.empty()
        : AcquiredConnection.call(connection::close);
  }
}
