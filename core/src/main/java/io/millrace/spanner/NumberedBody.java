package io.millrace.spanner;

import io.millrace.insert.RowTooLargeException;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * Gives every row a number in the transaction that writes it, in the order of the group.
 *
 * @param write writes the numbered rows
 */
record NumberedBody<T>(
    TransactionalSequence sequence,
    BiFunction<? super T, ? super Long, ? extends T> assigner,
    RowMapper<T> mapper,
    GroupBody<T> write,
    long maxCells,
    long maxBytes)
    implements GroupBody<T> {

  @Override
  public Mono<List<PreparedMutations<T>>> run(
      SpannerTransaction transaction, List<PreparedMutations<T>> group) {
    return sequence
        .next(transaction, group.size())
        .map(numbers -> numbered(group, numbers))
        .flatMap(rows -> write.run(transaction, rows));
  }

  private List<PreparedMutations<T>> numbered(
      List<PreparedMutations<T>> group, List<Long> numbers) {
    List<PreparedMutations<T>> rows =
        IntStream.range(0, group.size())
            .mapToObj(i -> mapper.map(assigned(group.get(i).row(), numbers.get(i))))
            .toList();
    requireWithin(
        "cells", rows.stream().mapToLong(PreparedMutations::cells).sum(), maxCells, group);
    requireWithin(
        "bytes", rows.stream().mapToLong(PreparedMutations::bytes).sum(), maxBytes, group);
    return rows;
  }

  private T assigned(T row, Long number) {
    return Objects.requireNonNull(
        assigner.apply(row, number), "the assigner returned null for a row");
  }

  /** A limit shows only here; a group that is over it is split, until it is one row. */
  private void requireWithin(String what, long size, long limit, List<PreparedMutations<T>> group) {
    if (size > limit) {
      throw new RowTooLargeException(what, size, limit, group.get(0).row());
    }
  }
}
