package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import io.millrace.insert.spi.Numbering;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** What the transaction of a group does with its rows. */
interface GroupBody<T> {

  /** The rows to write. Called once in each attempt. */
  default Mono<List<PreparedMutations<T>>> rows(
      SpannerTransaction transaction, List<PreparedMutations<T>> group) {
    return Mono.just(group);
  }

  /** Writes the rows in a transaction, and emits them. */
  Mono<List<PreparedMutations<T>>> write(
      SpannerTransaction transaction, List<PreparedMutations<T>> rows);

  /** Whether another attempt would write the same rows. */
  default boolean isRepeatable() {
    return true;
  }

  /** The rows as they would be with other numbers than those that they received. */
  default List<PreparedMutations<T>> withOtherNumbers(
      List<PreparedMutations<T>> group, List<PreparedMutations<T>> numbered) {
    return numbered;
  }

  /** Rows that get their numbers in the transaction, in the order of the group. */
  record Numbered<T>(
      Numbering<T, SpannerTransaction> numbering,
      Function<T, PreparedMutations<T>> mapper,
      GroupBody<T> body,
      long maxCells,
      long maxBytes)
      implements GroupBody<T> {

    @Override
    public Mono<List<PreparedMutations<T>>> rows(
        SpannerTransaction transaction, List<PreparedMutations<T>> group) {
      long cellsOfCounters =
          (long) SequenceTable.CELLS_OF_COUNTER * numbering.counters(group.size());
      long cellsOfRows = Math.min(maxCells, MutationSize.MAX_CELLS - cellsOfCounters);
      return numbering.number(
          numbering.in(transaction), group, this::prepare, cellsOfRows, maxBytes);
    }

    @Override
    public Mono<List<PreparedMutations<T>>> write(
        SpannerTransaction transaction, List<PreparedMutations<T>> rows) {
      return body.write(transaction, rows);
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public List<PreparedMutations<T>> withOtherNumbers(
        List<PreparedMutations<T>> group, List<PreparedMutations<T>> numbered) {
      return numbering.withNextNumbers(group, numbered, this::prepare);
    }

    private PreparedMutations<T> prepare(T row, List<Long> numbers) {
      return mapper.apply(row).withNumbers(numbers);
    }
  }

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
