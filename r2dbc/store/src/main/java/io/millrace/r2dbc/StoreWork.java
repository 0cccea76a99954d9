package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.millrace.internal.ConflictRetry;
import io.r2dbc.spi.Connection;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Runs the statements of a store: in what transaction, and how often when they lose a conflict. */
record StoreWork(
    SequenceTable table, SequenceFailures failures, ConnectionSource source, ConflictRetry retry) {

  /** Statements that need no transaction. The client of Spanner may block at its first one. */
  <T> Mono<T> read(Function<Connection, Mono<T>> body) {
    return (table.writesInTransactions() ? source.offloaded() : source).use(body);
  }

  /** Statements that write in autocommit, where the database can. */
  <T> Mono<T> write(Function<Connection, Mono<T>> body) {
    return retry.run(
        table.writesInTransactions() ? source.useInTransaction(body) : source.use(body),
        failures::isConflict);
  }

  /** Statements that write in one transaction. */
  <T> Mono<T> writeInTransaction(Function<Connection, Mono<T>> body) {
    return retry.run(source.useInTransaction(body), failures::isConflict);
  }

  /** Moves a counter behind so many values, and tells where it stood. */
  Mono<SequenceState> add(String sequence, long size) {
    Function<Connection, Mono<SequenceState>> add =
        connection -> table.add(connection, sequence, size);
    return table.addsInAutocommit() ? write(add) : writeInTransaction(add);
  }
}
