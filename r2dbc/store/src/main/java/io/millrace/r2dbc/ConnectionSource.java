package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Where connections come from, and how one is used: acquired, worked with, given back exactly once.
 *
 * <p>Cancelling withdraws a request for a connection. Once there is one, the work with it is not
 * cut short, so that it is known what state the connection is in when it is given back: a statement
 * under way is awaited, and a transaction that nobody waits for any more is rolled back. Work that
 * does not end within {@link Lease#GRACE} of the cancel loses its connection, which is closed.
 *
 * @param connections makes or lends connections
 * @param kept keeps connections for the next that needs one; null if each is given back
 * @param calls on what threads the driver is called
 */
record ConnectionSource(
    Connections connections, @Nullable KeptConnections kept, DriverCalls calls) {

  /** A source that keeps nothing. */
  static ConnectionSource of(Connections connections, DriverCalls calls) {
    return new ConnectionSource(connections, null, calls);
  }

  /** The same connections, for work that may block the thread that calls. */
  ConnectionSource offloaded() {
    return new ConnectionSource(connections, kept, calls.offloaded());
  }

  /** Lends a connection in autocommit to a piece of work, when subscribed to. */
  <T> Mono<T> use(Function<Connection, Mono<T>> work) {
    return lend(false, work);
  }

  /** Lends a connection for a transaction, and commits behind the result of the work. */
  <T> Mono<T> useInTransaction(Function<Connection, Mono<T>> work) {
    return lend(true, work);
  }

  private <T> Mono<T> lend(boolean inTransaction, Function<Connection, Mono<T>> work) {
    return Mono.create(sink -> new Lease<>(sink, this, work, inTransaction).begin());
  }

  /** A connection that was kept, if there is one. */
  @Nullable Connection idle() {
    return kept == null ? null : kept.take();
  }

  /** Takes back a connection whose work ended well. */
  Mono<Void> giveBack(Connection connection) {
    return kept != null && kept.keep(connection) ? Mono.empty() : Lease.call(connection::close);
  }
}
