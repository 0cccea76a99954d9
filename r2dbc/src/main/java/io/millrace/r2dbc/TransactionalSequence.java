package io.millrace.r2dbc;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/**
 * Gives values of a sequence inside a transaction of the application: unique, in the order of the
 * commits, and without gaps, since values are taken if and only if the transaction commits. It is
 * the <em>simple</em> and the <em>synchronous</em> generator of Google's guide "Sequence generation
 * in Spanner".
 *
 * <p>The price is that the transactions that use a sequence run one after the other, each holding
 * its row from the first value to the commit: keep them short, and take the first value late. Where
 * gaps do no harm, use a {@code SequenceGenerator}.
 *
 * <p>Created once, with {@link R2dbcSequenceStore#transactional}, and used by any number of
 * transactions at once. A call is one statement (two where the database cannot answer an {@code
 * UPDATE} with what it wrote), however many values it takes; calls on one connection take turns.
 * Two values taken in one transaction always differ. A conflict is not retried here, since it ends
 * the whole transaction: run that again. Let a value leave the transaction only as its result.
 *
 * <p>Keep a subscriber's cancel away from the transaction: {@code Mono.deferContextual(context ->
 * transaction.contextWrite(context).cache())}. A cancel rolls back on its own thread, and a
 * statement that another thread is just sending, of this sequence or of the application, may arrive
 * behind the rollback and run outside the transaction, or in the connection's next one, which makes
 * a gap or gives a value twice.
 *
 * <p>The dialect should be known before, by a driver's name or from the builder; else the first
 * call asks the database on a connection of the store's own.
 */
public final class TransactionalSequence {

  private final Mono<SequenceTable> tables;
  private final String sequence;

  TransactionalSequence(Mono<SequenceTable> tables, String sequence) {
    this.tables = tables;
    this.sequence = sequence;
  }

  /**
   * Returns the name of the sequence.
   *
   * @return the name given to {@link R2dbcSequenceStore#transactional}
   */
  public String sequence() {
    return sequence;
  }

  /**
   * Takes one value. Each subscription takes one; a subscription that was cancelled before its turn
   * takes none, and one that was cancelled later leaves a gap, unless the transaction is rolled
   * back.
   *
   * <p><b>After an error</b>, roll the transaction back. On Spanner, further calls in a transaction
   * in which a call has failed fail at once, with a {@link io.millrace.SequenceStoreException} or,
   * for what may pass by itself (a conflict, a broken connection), with the first failure. But
   * behind a statement of the <em>application</em> that failed, Spanner's driver never answers a
   * query, and nothing tells of that statement here: let its error end the transaction, and put a
   * {@code timeout} on the transaction as a whole, before {@code cache()}, which rolls it back. A
   * call that was cancelled does not hold up those behind it.
   *
   * @param connection a connection on which the caller has begun a transaction
   * @return the value, on a thread of the driver (of {@code boundedElastic} for H2). Errors: {@link
   *     SequenceNotFoundException} if the sequence has no row, {@link SequenceExhaustedException}
   *     at the end of its range, {@link IllegalStateException} if the connection is in no
   *     transaction, a {@link io.millrace.SequenceStoreException} if the database refuses or, on
   *     Spanner, has refused a call in this transaction before, or what the driver reports
   */
  public Mono<Long> next(Connection connection) {
    return take(connection, 1, first -> first);
  }

  /**
   * Takes consecutive values.
   *
   * @param connection a connection on which the caller has begun a transaction
   * @param count how many, 1 or more
   * @return the values, rising by 1; thread and errors as for {@link #next(Connection)}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<Long>> next(Connection connection, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return take(
        connection, count, first -> LongStream.range(first, first + count).boxed().toList());
  }

  /** Completes when the dialect is known, so that only the caller's connection is needed. */
  Mono<?> ready() {
    return tables;
  }

  private <V> Mono<V> take(Connection connection, int count, LongFunction<V> values) {
    return tables.flatMap(
        table ->
            Turns.take(
                    connection,
                    table.dialect().isBlocking(),
                    table.probe(connection),
                    Guarded.mono(
                        () -> {
                          checkTransaction(table, connection);
                          return table.add(connection, sequence, count);
                        }))
                .map(SequenceState::nextValue)
                .map(values::apply)
                .onErrorMap(failure -> typed(table, failure)));
  }

  private Throwable typed(SequenceTable table, Throwable failure) {
    SequenceFailures failures = new SequenceFailures(table);
    return failure instanceof Turns.EarlierFailure earlier && earlier.getCause() != null
        ? failures.behind(sequence, earlier.getCause())
        : failures.translate(sequence, failure);
  }

  /** Spanner's driver does not tell; outside a transaction, Spanner refuses the statement. */
  private void checkTransaction(SequenceTable table, Connection connection) {
    if (!table.writesInTransactions() && connection.isAutoCommit()) {
      throw new IllegalStateException(
          "values of sequence '"
              + sequence
              + "' can be taken without gaps in a transaction only, and the connection is in none:"
              + " subscribe to beginTransaction() before, or use a SequenceGenerator");
    }
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + sequence + "]";
  }
}
