package io.millrace.r2dbc;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Runs each call as one statement or two; calls on one connection take turns. */
final class R2dbcTransactionalSequence implements TransactionalSequence<Connection>, OwnSequences {

  private final Mono<SequenceTable> tables;
  private final String sequence;

  /** The first value, if this creates the sequence; null if a missing one is an error. */
  private final @Nullable Long start;

  private final ExpectedValue expected = new ExpectedValue();

  R2dbcTransactionalSequence(Mono<SequenceTable> tables, String sequence, @Nullable Long start) {
    this.tables = tables;
    this.start = start;
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

  @Override
  public ExpectedValue expected(String name) {
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
    return add(table, connection, count, check)
        .doOnNext(before -> expected.taken(before, before.advance(count)))
        .map(SequenceState::nextValue)
        .map(first -> LongStream.range(first, first + count).boxed().toList());
  }

  /** Whether there is a table, and no row. */
  static boolean isWithoutRow(Throwable failure) {
    return failure instanceof SequenceNotFoundException missing && missing.getCause() == null;
  }

  private Mono<SequenceState> add(
      SequenceTable table, Connection connection, int count, Runnable check) {
    Mono<SequenceState> add = table.addInTransaction(connection, sequence, count, check);
    Long first = start;
    return first == null
        ? add
        : add.onErrorResume(CounterChangedException.class, createdMeanwhile -> add)
            .onErrorResume(
                R2dbcTransactionalSequence::isWithoutRow,
                missing ->
                    table
                        .createInTransaction(connection, sequence, first, check)
                        .flatMap(
                            created ->
                                created
                                    ? add
                                    : add.onErrorMap(
                                        ended -> new CounterChangedException(sequence, ended))));
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
