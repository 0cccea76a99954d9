package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/** Runs each call as one statement or two; calls on one connection take turns. */
final class R2dbcTransactionalSequence implements TransactionalSequence<Connection> {

  private final Mono<SequenceTable> tables;
  private final String sequence;

  R2dbcTransactionalSequence(Mono<SequenceTable> tables, String sequence) {
    this.tables = tables;
    this.sequence = sequence;
  }

  @Override
  public String sequence() {
    return sequence;
  }

  /** Completes when the dialect is known. From then on, only the caller's connection is needed. */
  Mono<?> ready() {
    return tables;
  }

  @Override
  public Mono<List<Long>> next(Connection connection, int count) {
    StoreArguments.checkCount(count);
    return tables.flatMap(
        table ->
            StatementQueue.enqueue(
                    connection,
                    table.dialect().isBlocking(),
                    table.probe(connection),
                    SafeCall.mono(
                        () ->
                            table.addInTransaction(
                                connection,
                                sequence,
                                count,
                                () -> checkTransaction(table, connection))))
                .map(SequenceState::nextValue)
                .map(first -> LongStream.range(first, first + count).boxed().toList())
                .onErrorMap(failure -> translate(table, failure)));
  }

  private Throwable translate(SequenceTable table, Throwable failure) {
    SequenceFailures failures = new SequenceFailures(table);
    return failure instanceof StatementQueue.EarlierFailure earlier && earlier.getCause() != null
        ? failures.afterFailure(sequence, earlier.getCause())
        : failures.translate(sequence, failure);
  }

  /**
   * Fails outside a transaction. On Spanner the driver does not report a transaction, but the
   * database refuses the statement outside one.
   */
  private void checkTransaction(SequenceTable table, Connection connection) {
    if (!table.writesInTransactions() && connection.isAutoCommit()) {
      throw new IllegalStateException(
          "values of sequence '"
              + sequence
              + "' can be taken without gaps in a transaction only, and the connection is in none,"
              + " or the database has ended it after a failure: subscribe to beginTransaction() before, or use a SequenceGenerator");
    }
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + sequence + "]";
  }
}
