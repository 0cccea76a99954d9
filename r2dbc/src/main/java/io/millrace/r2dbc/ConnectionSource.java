package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Where connections come from, and how one is used: acquired, worked with, given back exactly once.
 *
 * <p>Cancelling withdraws a request for a connection. Once there is one, the work with it is never
 * cut short, so that it is known what state the connection is in when it is given back: a statement
 * under way is awaited, and a transaction that nobody waits for any more is rolled back.
 *
 * @param factory makes or lends connections
 * @param blocking whether its driver works on the thread that calls it
 */
record ConnectionSource(ConnectionFactory factory, boolean blocking) {

  /** Lends a connection in autocommit to a piece of work, when subscribed to. */
  <T> Mono<T> use(Function<Connection, Mono<T>> work) {
    return lend(false, work);
  }

  /** Lends a connection for a transaction, and commits behind the result of the work. */
  <T> Mono<T> useInTransaction(Function<Connection, Mono<T>> work) {
    return lend(true, work);
  }

  private <T> Mono<T> lend(boolean inTransaction, Function<Connection, Mono<T>> work) {
    return Mono.create(sink -> new Lease<>(sink, work, inTransaction, blocking).acquire(factory));
  }
}
