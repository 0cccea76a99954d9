package io.millrace.r2dbc;

import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.internal.LogSafe;
import io.millrace.internal.StoreArguments;
import io.millrace.r2dbc.GroupBody.TableSequences;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Takes values in a transaction of the application.
 *
 * <p>If calls on one connection overlap, their values differ: each moves the counter with one
 * statement that returns the value, or moves it only from the value that it has read, and else
 * reads again.
 */
final class R2dbcTransactionalSequence
    implements TransactionalSequence<Connection>, TableSequences {

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
    return tables.flatMap(
        table ->
            onItsThread(table.dialect(), add(table, connection, count))
                .doOnNext(before -> expected.taken(before, before.advance(count)))
                .map(SequenceState::nextValue)
                .map(first -> LongStream.range(first, first + count).boxed().toList())
                .onErrorMap(failure -> table.translated(sequence, failure)));
  }

  /** A cancel does not reach a driver that blocks: it would interrupt a thread in the database. */
  private static <T> Mono<T> onItsThread(R2dbcDialect dialect, Mono<T> call) {
    return dialect.isBlocking()
        ? Mono.deferContextual(
            context -> call.subscribeOn(Schedulers.boundedElastic()).contextWrite(context).cache())
        : call;
  }

  /** Whether there is a table, and no row. */
  static boolean isWithoutRow(Throwable failure) {
    return failure instanceof SequenceNotFoundException missing && missing.getCause() == null;
  }

  private Mono<SequenceState> add(SequenceTable table, Connection connection, int count) {
    Mono<SequenceState> once =
        Mono.defer(() -> table.addInTransaction(connection, sequence, count));
    Mono<SequenceState> add =
        once.onErrorResume(CounterChangedException.class, createdMeanwhile -> once);
    Long first = start;
    return first == null
        ? add
        : add.onErrorResume(
            R2dbcTransactionalSequence::isWithoutRow,
            missing ->
                table
                    .createInTransaction(connection, sequence, first)
                    .flatMap(
                        created ->
                            created
                                ? add
                                : add.onErrorMap(ended -> new CounterChangedException(sequence))));
  }

  @Override
  public String toString() {
    return "TransactionalSequence[" + LogSafe.name(sequence) + "]";
  }
}
