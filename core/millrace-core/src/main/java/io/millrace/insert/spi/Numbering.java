package io.millrace.insert.spi;

import io.millrace.ObjLongFunction;
import io.millrace.TransactionalSequence;
import io.millrace.insert.RowTooLargeException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.internal.RowContexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Gives each row of a group a number of a sequence, in the transaction that writes it and in the
 * order of the group.
 *
 * @param sequence gives the numbers
 * @param assigner combines a row and its number
 * @param <T> the type of the rows
 * @param <C> the type of a transaction
 */
public record Numbering<T, C>(
    TransactionalSequence<C> sequence, ObjLongFunction<? super T, ? extends T> assigner) {

  /**
   * Checks the parts.
   *
   * @param sequence gives the numbers
   * @param assigner combines a row and its number
   */
  public Numbering {
    Objects.requireNonNull(sequence, "sequence");
    Objects.requireNonNull(assigner, "assigner");
  }

  /**
   * Takes the numbers of a group, and prepares its rows with them.
   *
   * @param <P> a row as it is prepared
   * @param transaction the transaction that writes the group
   * @param group the rows, not numbered yet
   * @param prepare maps a numbered row to what is sent
   * @param maxCells how many cells the group may have
   * @param maxBytes how many bytes the group may have
   * @return the rows to write, in the order of the group. Errors: {@link GroupFailedException} if a
   *     row cannot be numbered or prepared, if the group is over a limit, which is known only now,
   *     or if the sequence does not give one number for each row; or those of the sequence
   */
  public <P extends PreparedRow<T>> Mono<List<P>> number(
      C transaction,
      List<P> group,
      Function<? super T, ? extends P> prepare,
      long maxCells,
      long maxBytes) {
    Mono<List<Long>> taken =
        sequence
            .next(transaction, group.size())
            .switchIfEmpty(Mono.error(() -> miscounted(group.size(), "no answer")));
    return Mono.deferContextual(
        context ->
            taken.map(
                numbers -> {
                  requireOneEach(group, numbers);
                  List<P> rows = new ArrayList<>();
                  for (int i = 0; i < group.size(); i++) {
                    P row = group.get(i);
                    long number = numbers.get(i);
                    RowContexts.run(
                        context, row, () -> rows.add(numbered(row.row(), number, prepare)));
                  }
                  requireWithin("cells", group, rows, PreparedRow::cells, maxCells);
                  requireWithin("bytes", group, rows, PreparedRow::bytes, maxBytes);
                  return rows;
                }));
  }

  /**
   * Prepares rows as they would be with a number that is not theirs. That tells whether something,
   * such as their keys, depends on the number.
   *
   * @param <P> a row as it is prepared
   * @param context the Context of the transaction
   * @param group the rows, not numbered yet
   * @param number the number
   * @param prepare maps a numbered row to what is sent
   * @return the rows, in the order of the group
   * @throws GroupFailedException if a row cannot be numbered or prepared
   */
  public <P extends PreparedRow<T>> List<P> withNumber(
      ContextView context, List<P> group, long number, Function<? super T, ? extends P> prepare) {
    List<P> rows = new ArrayList<>();
    for (P row : group) {
      RowContexts.run(context, row, () -> rows.add(numbered(row.row(), number, prepare)));
    }
    return rows;
  }

  /** An extra number would be lost, and a missing one would leave a row without a number. */
  private void requireOneEach(List<?> group, List<Long> numbers) {
    long nulls = numbers.stream().filter(Objects::isNull).count();
    if (numbers.size() != group.size() || nulls > 0) {
      throw miscounted(
          group.size(),
          numbers.size() + " numbers" + (nulls == 0 ? "" : ", " + nulls + " of them null"));
    }
  }

  private GroupFailedException miscounted(int requested, String received) {
    return new GroupFailedException(
        Kind.GROUP_REFUSED,
        new IllegalStateException(
            "sequence '%s' was asked for %d numbers, and gave %s"
                .formatted(sequence.name(), requested, received)));
  }

  private <P> P numbered(T row, long number, Function<? super T, ? extends P> prepare) {
    try {
      return prepare.apply(
          Objects.requireNonNull(
              assigner.apply(row, number), "the assigner returned null for a row"));
    } catch (
        Throwable
            thrown) { // also fatal errors, which Reactor would throw on the thread of a driver
      throw new GroupFailedException(Kind.ROW_AT_FAULT, thrown);
    }
  }

  /** Measures the numbered rows. The error has the first row as it arrived, without a number. */
  private static <T, P extends PreparedRow<T>> void requireWithin(
      String what, List<P> group, List<P> rows, ToLongFunction<P> measure, long limit) {
    long size = rows.stream().mapToLong(measure).sum();
    if (size > limit) {
      throw new GroupFailedException(
          Kind.TOO_LARGE, new RowTooLargeException(what, size, limit, group.get(0).row()));
    }
  }
}
