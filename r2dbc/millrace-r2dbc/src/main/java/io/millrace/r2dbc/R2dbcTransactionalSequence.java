package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/** Runs each call as one statement or two; calls on one connection take turns. */
final class R2dbcTransactionalSequence implements TransactionalSequence<Connection>, OwnSequences {

  private final Mono<SequenceTable> tables;
  private final String sequence;
  private final ExpectedValue expected = new ExpectedValue();

  R2dbcTransactionalSequence(Mono<SequenceTable> tables, String sequence) {
    this.tables = tables;
    this.sequence = sequence;
  }

  @Override
  public String name() {
    return sequence;
  }

  @Override
  public Mono<SequenceTable> ready() {
    return tables;
  }

  /** What is expected of the counter; nothing if more than an update is needed to move it. */
  ExpectedValue expected() {
    return expected;
  }

  @Override
  public Mono<List<Long>> next(Connection connection, int count) {
    StoreArguments.checkCount(count);
    return inTurn(
        tables, connection, sequence, (table, check) -> take(table, connection, count, check));
  }

  /**
   * Runs a call when it is its turn on the connection.
   *
   * @param sequence the sequence that errors name
   * @param call is passed what throws if the driver reports that there is no transaction
   */
  static <T> Mono<T> inTurn(
      Mono<SequenceTable> tables,
      Connection connection,
      String sequence,
      BiFunction<SequenceTable, Runnable, Mono<T>> call) {
    return tables.flatMap(
        table ->
            StatementQueue.enqueue(
                    connection,
                    table.dialect().isBlocking(),
                    table.probe(connection),
                    Mono.defer(
                        () ->
                            call.apply(table, () -> checkTransaction(table, connection, sequence))))
                .onErrorMap(failure -> translate(table, sequence, failure)));
  }

  private Mono<List<Long>> take(
      SequenceTable table, Connection connection, int count, Runnable check) {
    return table
        .addInTransaction(connection, sequence, count, check)
        .doOnNext(before -> expected.taken(before, before.advance(count)))
        .map(SequenceState::nextValue)
        .map(first -> LongStream.range(first, first + count).boxed().toList());
  }

  private static Throwable translate(SequenceTable table, String sequence, Throwable failure) {
    SequenceFailures failures = new SequenceFailures(table);
    return failure instanceof StatementQueue.EarlierFailure earlier && earlier.getCause() != null
        ? failures.afterFailure(sequence, earlier.getCause())
        : failures.translate(sequence, failure);
  }

  /**
   * Fails outside a transaction. On Spanner the driver does not report a transaction, but the
   * database refuses the statement outside one.
   */
  private static void checkTransaction(
      SequenceTable table, Connection connection, String sequence) {
    if (!table.writesInTransactions() && connection.isAutoCommit()) {
      throw new IllegalStateException(
          "values of sequence "
              + ShownText.quote(sequence)
              + " can be taken without gaps in a transaction only, and the connection has none, or"
              + " the database has ended it after a failure: subscribe to beginTransaction() first,"
              + " or use a SequenceGenerator");
    }
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + ShownText.name(sequence) + "]";
  }
}
