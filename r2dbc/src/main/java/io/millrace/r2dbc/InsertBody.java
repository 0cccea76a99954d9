package io.millrace.r2dbc;

import io.millrace.insert.GroupFailedException;
import io.millrace.insert.GroupFailedException.Kind;
import io.millrace.insert.RowTooLargeException;
import io.r2dbc.spi.Connection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/** What the transaction of a group writes. */
interface InsertBody<T> {

  /** The rows as they are to be written; asked once an attempt, on its connection. */
  Mono<List<PreparedInsert<T>>> rows(Connection connection, List<PreparedInsert<T>> group);

  /** Completes when no connection but the group's is needed; asked before there is one. */
  Mono<?> ready();

  /** Whether another attempt would write the same rows, so that they can be looked for. */
  boolean isRepeatable();

  /** Rows that are written as they were prepared. */
  static <T> InsertBody<T> asPrepared() {
    return new InsertBody<>() {
      @Override
      public Mono<List<PreparedInsert<T>>> rows(
          Connection connection, List<PreparedInsert<T>> group) {
        return Mono.just(group);
      }

      @Override
      public Mono<?> ready() {
        return Mono.empty();
      }

      @Override
      public boolean isRepeatable() {
        return true;
      }
    };
  }

  /** Rows that get their numbers in the transaction, in the order of the group. */
  record Numbered<T>(
      TransactionalSequence sequence,
      BiFunction<? super T, ? super Long, ? extends T> assigner,
      InsertMapper<T> mapper,
      long maxCells,
      long maxBytes)
      implements InsertBody<T> {

    @Override
    public Mono<List<PreparedInsert<T>>> rows(
        Connection connection, List<PreparedInsert<T>> group) {
      return sequence.next(connection, group.size()).map(numbers -> numbered(group, numbers));
    }

    @Override
    public Mono<?> ready() {
      return sequence.ready();
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    private List<PreparedInsert<T>> numbered(List<PreparedInsert<T>> group, List<Long> numbers) {
      List<PreparedInsert<T>> rows =
          IntStream.range(0, group.size())
              .mapToObj(i -> numbered(group.get(i).row(), numbers.get(i)))
              .toList();
      requireWithin("cells", rows, PreparedInsert::cells, maxCells);
      requireWithin("bytes", rows, PreparedInsert::bytes, maxBytes);
      return rows;
    }

    private PreparedInsert<T> numbered(T row, Long number) {
      try {
        return mapper.map(
            Objects.requireNonNull(assigner.apply(row, number), "the assigner returned null"));
      } catch (Throwable thrown) { // also what Reactor would throw at the driver's thread
        throw new GroupFailedException(Kind.ROW_AT_FAULT, thrown);
      }
    }

    /** A limit shows only here; a group that is over it is split, until it is one row. */
    private void requireWithin(
        String what,
        List<PreparedInsert<T>> rows,
        ToLongFunction<PreparedInsert<T>> measure,
        long limit) {
      long size = rows.stream().mapToLong(measure).sum();
      if (size > limit) {
        throw new GroupFailedException(
            Kind.TOO_LARGE, new RowTooLargeException(what, size, limit, rows.get(0).row()));
      }
    }
  }
}
