package io.millrace.r2dbc;

import io.millrace.SequenceState;
import io.millrace.TransactionalSequences;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Runs each call as a few statements, however many names it has; calls on one connection take
 * turns.
 *
 * @param start the first value of a sequence that is created; null if a missing one is an error
 */
record R2dbcTransactionalSequences(
    Mono<SequenceTable> tables, SequenceNames names, @Nullable Long start)
    implements TransactionalSequences<Connection>, OwnSequences {

  @Override
  public TransactionalSequences<Connection> createMissing(long startValue) {
    SequenceState.starting("any", startValue);
    return new R2dbcTransactionalSequences(tables, names, startValue);
  }

  @Override
  public Mono<?> ready() {
    return tables;
  }

  @Override
  public Mono<Map<String, List<Long>>> next(Connection connection, Map<String, Integer> counts) {
    SortedMap<String, Integer> asked = StoreArguments.checkCounts(counts);
    return Mono.defer(
        () -> {
          StoreArguments.checkNames(asked, names::checkSequence);
          return R2dbcTransactionalSequence.inTurn(
              tables,
              connection,
              asked.firstKey(),
              (table, check) -> new SeveralCounters(table).take(connection, asked, start, check));
        });
  }

  @Override
  public String toString() {
    return "TransactionalSequences[" + names.table() + "]";
  }
}
