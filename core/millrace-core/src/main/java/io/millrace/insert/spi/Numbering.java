package io.millrace.insert.spi;

import io.millrace.Sequence.Assigner;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.insert.RowTooLargeException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.periodic.PeriodicValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Assigns numbers to the rows of a group, in the transaction that writes it and in the order of the
 * group. All numbers are from one sequence, or each row names its sequence.
 *
 * @param <C> the type of a transaction
 */
public final class Numbering<T, C> {

  /** How many numbers a group may take. They are in memory. */
  private static final long MOST_NUMBERS = 1_000_000;

  /**
   * What a row takes.
   *
   * @param assigner combines the row and its numbers
   */
  private record Take<T>(
      String sequence, int count, BiFunction<? super T, ? super List<Long>, ? extends T> assigner) {

    <P> P prepared(T row, List<Long> numbers, BiFunction<T, List<Long>, P> prepare) {
      T numbered = assigner.apply(row, numbers);
      return prepare.apply(
          Objects.requireNonNull(numbered, "the assigner returned null for a row"), numbers);
    }
  }

  private final Object sequences;

  /** Takes numbers by the name of their sequence. */
  private final BiFunction<C, Map<String, Integer>, Mono<Map<String, List<Long>>>> source;

  /** Called for each attempt at a group: returns what a row takes in it. */
  private final Supplier<Function<? super T, Take<T>>> takes;

  private final int mostCounters;

  private Numbering(
      Object sequences,
      BiFunction<C, Map<String, Integer>, Mono<Map<String, List<Long>>>> source,
      Supplier<Function<? super T, Take<T>>> takes,
      int mostCounters) {
    this.sequences = sequences;
    this.source = source;
    this.takes = takes;
    this.mostCounters = mostCounters;
  }

  /** Numbers all rows from one sequence. */
  public static <T, C> Numbering<T, C> of(
      TransactionalSequence<C> sequence, Assigner<? super T, ? extends T> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    String name = sequence.name();
    Take<T> one = new Take<>(name, 1, (row, numbers) -> assigner.apply(row, numbers.get(0)));
    return new Numbering<>(
        sequence,
        (transaction, counts) ->
            sequence
                .next(transaction, counts.getOrDefault(name, 0))
                .map(numbers -> Map.of(name, numbers)),
        () -> row -> one,
        1);
  }

  /**
   * Numbers each row from the counter of the current period, perhaps that of its tenant. All rows
   * of a group have numbers of one period.
   *
   * @param tenant returns the tenant of a row; null if there are no tenants
   */
  public static <T, C> Numbering<T, C> of(
      TransactionalSequences<C> counters,
      PeriodicNumbers numbers,
      @Nullable Function<? super T, String> tenant,
      BiFunction<? super T, ? super PeriodicValue, ? extends T> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    TransactionalSequences<C> creating = counters.createMissing(numbers.startValue());
    return new Numbering<>(
        creating,
        creating::next,
        () -> {
          Instant now = numbers.clock().instant();
          return row -> {
            PeriodicNumbers own =
                tenant == null
                    ? numbers
                    : numbers.forTenant(
                        Objects.requireNonNull(tenant.apply(row), "the tenant of a row is null"));
            PeriodicNumbers.Row counter = own.at(now);
            return new Take<>(
                counter.name(),
                1,
                (any, taken) -> assigner.apply(any, counter.value(taken.get(0))));
          };
        },
        tenant == null ? 1 : Integer.MAX_VALUE);
  }

  /** Numbers each row from the sequence that it names, with as many numbers as it counts. */
  public static <T, C> Numbering<T, C> of(
      TransactionalSequences<C> sequences,
      Function<? super T, String> name,
      ToIntFunction<? super T> count,
      BiFunction<? super T, ? super List<Long>, ? extends T> assigner) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(count, "count");
    Objects.requireNonNull(assigner, "assigner");
    return new Numbering<>(
        sequences,
        sequences::next,
        () ->
            row -> {
              String own =
                  Objects.requireNonNull(name.apply(row), "the name of a row's sequence is null");
              int numbers = count.applyAsInt(row);
              if (numbers < 1) {
                throw new IllegalArgumentException("a row takes at least 1 number, was " + numbers);
              }
              return new Take<>(own, numbers, assigner);
            },
        Integer.MAX_VALUE);
  }

  /** {@return the {@link TransactionalSequence} or the {@link TransactionalSequences} in use} */
  public Object sequences() {
    return sequences;
  }

  /** {@return the largest number of counters that a group of so many rows moves} */
  public int counters(int rows) {
    return Math.min(rows, mostCounters);
  }

  /** {@return what takes numbers in a transaction, for {@link #number}} */
  public Function<Map<String, Integer>, Mono<Map<String, List<Long>>>> in(C transaction) {
    return counts -> source.apply(transaction, counts);
  }

  /**
   * Takes the numbers of a group, and prepares its rows with them.
   *
   * @param numbers takes numbers by the name of their sequence. If it emits none, no row is
   *     prepared
   * @param group the rows, not numbered yet
   * @param prepare prepares a numbered row, which keeps its numbers
   * @param maxCells how many cells the group may have
   * @param maxBytes how many bytes the group may have
   * @return the rows to write, in the order of the group. Errors: {@link GroupFailedException} if
   *     rows cannot be numbered or prepared, or if the numbered group exceeds a limit; or those of
   *     the sequences
   */
  public <P extends PreparedRow<T>> Mono<List<P>> number(
      Function<Map<String, Integer>, Mono<Map<String, List<Long>>>> numbers,
      List<P> group,
      BiFunction<T, List<Long>, P> prepare,
      long maxCells,
      long maxBytes) {
    return Mono.defer(
            () -> {
              Function<? super T, Take<T>> take = this.takes.get();
              List<Take<T>> takes = each(group, i -> take.apply(group.get(i).row()));
              long total = takes.stream().mapToLong(Take::count).sum();
              requireWithin("numbers", total, MOST_NUMBERS, group);
              Map<String, Integer> counts = new LinkedHashMap<>();
              takes.forEach(each -> counts.merge(each.sequence(), each.count(), Integer::sum));
              return numbers
                  .apply(counts)
                  .onErrorMap(SequencesRefusedException.class, refused -> faultsOf(takes, refused))
                  .map(given -> numbered(group, takes, given, prepare));
            })
        .doOnNext(
            rows -> {
              long cells = rows.stream().mapToLong(PreparedRow::cells).sum();
              long bytes = rows.stream().mapToLong(PreparedRow::bytes).sum();
              requireWithin("cells", cells, maxCells, group);
              requireWithin("bytes", bytes, maxBytes, group);
            });
  }

  /** Calls a function for each row. If it throws, the failure names the rows at fault. */
  private static <R> List<R> each(List<?> group, IntFunction<? extends R> function) {
    List<R> results = new ArrayList<>(group.size());
    List<@Nullable Throwable> faults = new ArrayList<>(Collections.nCopies(group.size(), null));
    for (int i = 0; i < group.size(); i++) {
      try {
        results.add(function.apply(i));
      } catch (Throwable thrown) {
        faults.set(i, thrown);
      }
    }
    if (results.size() < group.size()) {
      throw GroupFailedException.ofRows(faults);
    }
    return results;
  }

  private static <T> RuntimeException faultsOf(
      List<Take<T>> takes, SequencesRefusedException refused) {
    List<@Nullable Throwable> faults = new ArrayList<>();
    takes.forEach(each -> faults.add(refused.reasons().get(each.sequence())));
    return GroupFailedException.ofRows(faults);
  }

  /** A row at fault takes no number: the next row of its sequence is tried with the same. */
  private <P> List<P> numbered(
      List<? extends PreparedRow<T>> group,
      List<Take<T>> takes,
      Map<String, List<Long>> numbers,
      BiFunction<T, List<Long>, P> prepare) {
    Map<String, Integer> used = new HashMap<>();
    return each(
        group,
        i -> {
          Take<T> own = takes.get(i);
          int from = used.getOrDefault(own.sequence(), 0);
          int to = from + own.count();
          List<Long> all = Objects.requireNonNull(numbers.get(own.sequence()));
          P row = own.prepared(group.get(i).row(), List.copyOf(all.subList(from, to)), prepare);
          used.put(own.sequence(), to);
          return row;
        });
  }

  /** The error has the first row as it arrived, without a number. */
  private static void requireWithin(
      String what, long size, long limit, List<? extends PreparedRow<?>> group) {
    try {
      RowTooLargeException.requireWithin(what, size, limit, group.size(), group.get(0).row());
    } catch (RowTooLargeException tooLarge) {
      throw new GroupFailedException(Kind.TOO_LARGE, tooLarge);
    }
  }

  /**
   * Prepares rows with the next numbers in place of their own, to find out whether something, such
   * as their keys, depends on the numbers. They might have received these numbers, so the assigner
   * is likely to accept them.
   *
   * @param group the rows, not numbered yet
   * @param numbered the same rows with their numbers
   * @param prepare prepares a numbered row
   * @return the rows, in the order of the group
   * @throws GroupFailedException that has the rows that cannot be prepared
   */
  public <P extends PreparedRow<T>> List<P> withNextNumbers(
      List<P> group, List<P> numbered, BiFunction<T, List<Long>, P> prepare) {
    Function<? super T, Take<T>> take = takes.get();
    return each(
        group,
        i -> {
          T row = group.get(i).row();
          List<Long> next = numbered.get(i).numbers().stream().map(number -> number + 1).toList();
          try {
            return take.apply(row).prepared(row, next, prepare);
          } catch (Throwable refused) {
            throw new IllegalStateException(
                "a row could not be prepared with the numbers "
                    + next
                    + ", so it is unknown whether its key depends on its numbers",
                refused);
          }
        });
  }
}
