package io.millrace.r2dbc;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequences;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Runs each call as a few statements, however many names it has; calls on one connection take
 * turns.
 *
 * @param start the first value of a sequence that is created; null if a missing one is an error
 * @param last the sequence that a call of one name used last, whose next value may be expected
 */
record R2dbcTransactionalSequences(
    Mono<SequenceTable> tables,
    SequenceNames names,
    @Nullable Long start,
    AtomicReference<@Nullable R2dbcTransactionalSequence> last)
    implements TransactionalSequences<Connection>, OwnSequences {

  R2dbcTransactionalSequences(
      Mono<SequenceTable> tables, SequenceNames names, @Nullable Long start) {
    this(tables, names, start, new AtomicReference<>());
  }

  @Override
  public TransactionalSequences<Connection> createMissing(long startValue) {
    SequenceState.starting("any", startValue);
    return new R2dbcTransactionalSequences(tables, names, startValue);
  }

  @Override
  public Mono<SequenceTable> ready() {
    return tables;
  }

  @Override
  public ExpectedValue expected(String sequence) {
    return single(sequence).expected(sequence);
  }

  private R2dbcTransactionalSequence single(String sequence) {
    return Objects.requireNonNull(
        last.updateAndGet(
            used ->
                used != null && used.name().equals(sequence)
                    ? used
                    : new R2dbcTransactionalSequence(tables, sequence, start)));
  }

  @Override
  public Mono<Map<String, List<Long>>> next(Connection connection, Map<String, Integer> counts) {
    SortedMap<String, Integer> asked = StoreArguments.checkCounts(counts);
    return Mono.defer(
        () -> {
          StoreArguments.checkNames(asked, names::checkSequence);
          if (asked.size() == 1) {
            return next(connection, asked.firstKey(), asked.getOrDefault(asked.firstKey(), 0));
          }
          return R2dbcTransactionalSequence.inTurn(
              tables,
              connection,
              asked.firstKey(),
              (table, check) -> new SeveralCounters(table).take(connection, asked, start, check));
        });
  }

  private Mono<Map<String, List<Long>>> next(Connection connection, String sequence, int count) {
    return single(sequence)
        .next(connection, count)
        .map(values -> Map.of(sequence, values))
        .onErrorMap(
            failure ->
                R2dbcTransactionalSequence.isWithoutRow(failure)
                    || failure instanceof SequenceExhaustedException,
            refused ->
                new SequencesRefusedException(Map.of(sequence, (RuntimeException) refused), 1));
  }

  @Override
  public String toString() {
    return "TransactionalSequences[" + names.table() + "]";
  }
}
