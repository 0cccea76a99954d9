package io.millrace.insert;

import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import java.util.BitSet;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.util.retry.RetryBackoffSpec;

/**
 * Writes groups of rows, each in a transaction of its own.
 *
 * @param limit how long one look-up may take; the database limits its transactions
 * @param isolate whether a refused group is split to find the rows at fault
 */
record TransactionWriter<T, P extends PreparedRow<T>>(
    GroupTransactions<T, P> database, TimeLimit limit, RetryBackoffSpec retries, boolean isolate)
    implements GroupWriter<T, P> {

  @Override
  public P prepare(T row) {
    return database.prepare(row);
  }

  @Override
  public Mono<List<InsertOutcome<T>>> write(List<P> group, BitSet joined) {
    return Mono.defer(() -> new GroupInsert<>(this, group, joined).run());
  }
}
