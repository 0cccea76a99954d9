package io.millrace.r2dbc;

import io.millrace.ReservationRequest;
import io.millrace.SequenceState;
import io.millrace.internal.ConflictRetry;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Runs the statements of a store, in a transaction where one is needed, and retries conflicts. */
record StoreWork(
    SequenceTable table, SequenceFailures failures, ConnectionSource source, ConflictRetry retry) {

  boolean isLost(Throwable failure) {
    return source.isConnectionLost(failure);
  }

  /** Runs statements that need no transaction. */
  <T> Mono<T> read(Function<Connection, Mono<T>> body) {
    return source.use(body);
  }

  /** Runs statements that write, in autocommit if the database allows it. */
  <T> Mono<T> write(Function<Connection, Mono<T>> body) {
    return retry.run(
        table.writesInTransactions() ? source.useInTransaction(body) : source.use(body),
        failures::isConflict);
  }

  /** Moves a counter past the values requested, and emits its state before them. */
  Mono<SequenceState> add(ReservationRequest request) {
    String sequence = request.sequence();
    long size = request.size();
    return table.addsInAutocommit()
        ? write(connection -> table.addInAutocommit(connection, sequence, size))
        : retry.run(
            source.useInTransaction(connection -> table.add(connection, sequence, size)),
            failures::isConflict);
  }
}
