package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import java.util.List;
import reactor.core.publisher.Mono;

/** What the transaction of a group does with its rows. */
interface GroupBody<T> {

  /**
   * Writes the rows in a transaction; called once in each attempt.
   *
   * @return the rows as they are written
   */
  Mono<List<PreparedMutations<T>>> write(
      SpannerTransaction transaction, List<PreparedMutations<T>> group);

  /** Buffers the mutations, for the commit to apply. */
  static <T> GroupBody<T> mutations() {
    return (transaction, group) ->
        Mono.fromCallable(
            () -> {
              group.forEach(row -> transaction.buffer(row.mutations()));
              return group;
            });
  }

  /** Sends the mutations, which are inserts, as one batch of DML. */
  static <T> GroupBody<T> dml(Mono<Dialect> dialect) {
    return (transaction, group) ->
        dialect
            .flatMap(known -> transaction.executeBatchUpdate(statements(group, known)))
            .thenReturn(group);
  }

  private static <T> List<Statement> statements(List<PreparedMutations<T>> group, Dialect dialect) {
    return group.stream()
        .flatMap(row -> row.mutations().stream())
        .map((Mutation insert) -> InsertStatement.of(insert, dialect))
        .toList();
  }
}
