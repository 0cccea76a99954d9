package io.millrace.insert.spi;

import io.millrace.Sequence.Assigner;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.insert.RowTooLargeException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.internal.CountedBy;
import io.millrace.internal.ShownText;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.periodic.PeriodicValue;
import io.millrace.periodic.Periods;
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
import java.util.function.ToLongFunction;
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

  /** What a row takes. */
  private record Take(String sequence, int count) {}

  /**
   * How the rows of one attempt at a group are numbered.
   *
   * @param source gives values by name
   */
  private record Plan<T, C>(
      BiFunction<C, Map<String, Integer>, Mono<Map<String, List<Long>>>> source,
      Function<? super T, Take> take,
      BiFunction<? super T, ? super List<Long>, ? extends T> assigner) {

    /** All rows from one sequence. */
    static <T, C> Plan<T, C> of(
        TransactionalSequence<C> sequence, Assigner<? super T, ? extends T> assigner) {
      Take one = new Take(sequence.name(), 1);
      return new Plan<>(
          (transaction, counts) ->
              sequence
                  .next(transaction, counts.getOrDefault(one.sequence(), 0))
                  .map(numbers -> Map.of(one.sequence(), numbers)),
          row -> one,
          (row, numbers) -> assigner.apply(row, numbers.get(0)));
    }
  }

  /** Gives the sequences that count: that of a period changes with the time. */
  private final Supplier<Object> sequences;

  /** Gives the plan of an attempt. All rows of a group have numbers of one period. */
  private final Supplier<Plan<T, C>> plans;

  private final Mono<Void> ready;
  private final boolean byName;

  private Numbering(
      Supplier<Object> sequences, Supplier<Plan<T, C>> plans, Mono<Void> ready, boolean byName) {
    this.sequences = sequences;
    this.plans = plans;
    this.ready = ready;
    this.byName = byName;
  }

  /**
   * Numbers all rows from one sequence.
   *
   * @param sequence the source of the numbers
   * @param assigner combines a row and its number
   */
  public static <T, C> Numbering<T, C> of(
      TransactionalSequence<C> sequence, Assigner<? super T, ? extends T> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    Plan<T, C> plan = Plan.of(sequence, assigner);
    return new Numbering<>(() -> sequence, () -> plan, Mono.empty(), false);
  }

  /**
   * Numbers all rows of a group from the sequence of the period in which the group is numbered.
   *
   * @param numbers the source of the numbers
   * @param assigner combines a row and its number
   */
  public static <T, C> Numbering<T, C> of(
      PeriodicTransactionalSequence<C> numbers,
      BiFunction<? super T, ? super PeriodicValue, ? extends T> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    return new Numbering<>(
        () -> ((CountedBy) numbers.sequence(numbers.periods().now())).counted(),
        () -> {
          Periods.Row period = numbers.periods().now();
          return Plan.of(
              numbers.sequence(period), (row, number) -> assigner.apply(row, period.value(number)));
        },
        numbers.prepare(),
        false);
  }

  /**
   * Numbers each row from the sequence that it names.
   *
   * @param sequences the source of the numbers
   * @param name returns the name of a row's sequence
   * @param count returns how many numbers a row takes, 1 or more
   * @param assigner combines a row and its numbers
   */
  public static <T, C> Numbering<T, C> of(
      TransactionalSequences<C> sequences,
      Function<? super T, String> name,
      ToIntFunction<? super T> count,
      BiFunction<? super T, ? super List<Long>, ? extends T> assigner) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(count, "count");
    Plan<T, C> plan =
        new Plan<>(
            sequences::next,
            row -> take(name.apply(row), count.applyAsInt(row)),
            Objects.requireNonNull(assigner, "assigner"));
    return new Numbering<>(() -> sequences, () -> plan, Mono.empty(), true);
  }

  private static Take take(@Nullable String name, int count) {
    Objects.requireNonNull(name, "the name of a row's sequence is null");
    if (count < 1) {
      throw new IllegalArgumentException("a row takes at least 1 number, was " + count);
    }
    return new Take(name, count);
  }

  /**
   * {@return the source of the numbers: the {@link TransactionalSequence} or the {@link
   * TransactionalSequences} of the store}
   */
  public Object sequences() {
    return sequences.get();
  }

  /**
   * Creates the counters that must exist before numbers are taken. Call it before a transaction
   * begins, so that the transaction does not wait for it.
   *
   * @return completes when they exist
   */
  public Mono<Void> ready() {
    return ready;
  }

  /**
   * Returns the largest number of counters that a group moves.
   *
   * @param rows the number of rows in the group
   * @return 1 if all rows are numbered from one sequence, else {@code rows}
   */
  public int counters(int rows) {
    return byName ? rows : 1;
  }

  /**
   * Takes the numbers of a group, and prepares its rows with them.
   *
   * @param transaction the transaction that writes the group
   * @param group the rows, not numbered yet
   * @param prepare prepares a numbered row
   * @param maxCells how many cells the group may have
   * @param maxBytes how many bytes the group may have
   * @return the rows to write, in the order of the group. Errors: {@link GroupFailedException} if
   *     rows cannot be numbered or prepared, if the numbered group exceeds a limit, or if a
   *     sequence does not return as many numbers as requested; or those of the sequences
   */
  public <P extends PreparedRow<T>> Mono<List<P>> number(
      C transaction,
      List<P> group,
      Function<? super T, ? extends P> prepare,
      long maxCells,
      long maxBytes) {
    return number(
        (plan, counts) ->
            plan.source()
                .apply(transaction, counts)
                .switchIfEmpty(Mono.error(() -> noAnswer(counts))),
        group,
        prepare,
        maxCells,
        maxBytes);
  }

  /**
   * Prepares the rows of a group with numbers that are expected, and not taken yet.
   *
   * @param expected the numbers by sequence
   * @param group the rows, not numbered yet
   * @param prepare prepares a numbered row
   * @param maxCells how many cells the group may have
   * @param maxBytes how many bytes the group may have
   * @return the rows as they would be written, in the order of the group; empty if they take
   *     others, or not as many. Errors: as for {@link #number}; the numbers may be the reason
   */
  public <P extends PreparedRow<T>> Mono<List<P>> numberAsExpected(
      Map<String, List<Long>> expected,
      List<P> group,
      Function<? super T, ? extends P> prepare,
      long maxCells,
      long maxBytes) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    expected.forEach((sequence, numbers) -> sizes.put(sequence, numbers.size()));
    return number(
        (plan, counts) -> Mono.just(expected).filter(any -> counts.equals(sizes)),
        group,
        prepare,
        maxCells,
        maxBytes);
  }

  private <P extends PreparedRow<T>> Mono<List<P>> number(
      BiFunction<Plan<T, C>, Map<String, Integer>, Mono<Map<String, List<Long>>>> source,
      List<P> group,
      Function<? super T, ? extends P> prepare,
      long maxCells,
      long maxBytes) {
    return Mono.defer(
        () -> {
          Plan<T, C> plan = plans.get();
          List<Take> takes = each(group, i -> plan.take().apply(group.get(i).row()));
          Map<String, Integer> counts = counts(group, takes);
          return source
              .apply(plan, counts)
              .onErrorMap(SequencesRefusedException.class, refused -> faultsOf(takes, refused))
              .map(
                  numbers -> {
                    requireAll(counts, numbers);
                    List<P> rows = numbered(group, plan, takes, numbers, prepare);
                    requireWithin("cells", group, rows, PreparedRow::cells, maxCells);
                    requireWithin("bytes", group, rows, PreparedRow::bytes, maxBytes);
                    return rows;
                  });
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

  private static <T> Map<String, Integer> counts(
      List<? extends PreparedRow<T>> group, List<Take> takes) {
    long total = takes.stream().mapToLong(Take::count).sum();
    requireWithin("numbers", group, total, MOST_NUMBERS);
    Map<String, Integer> counts = new LinkedHashMap<>();
    takes.forEach(each -> counts.merge(each.sequence(), each.count(), Integer::sum));
    return counts;
  }

  private static RuntimeException faultsOf(List<Take> takes, SequencesRefusedException refused) {
    List<@Nullable RuntimeException> faults = new ArrayList<>();
    takes.forEach(each -> faults.add(refused.reasons().get(each.sequence())));
    return faults.stream().allMatch(Objects::isNull)
        ? new GroupFailedException(Kind.GROUP_REFUSED, refused)
        : GroupFailedException.ofRows(faults);
  }

  /**
   * Prepares rows with another number, to find out whether something, such as their keys, depends
   * on the number.
   *
   * @param group the rows, not numbered yet
   * @param prepare prepares a numbered row
   * @return the rows, in the order of the group
   * @throws GroupFailedException of the kind {@code UNKNOWN} if a row cannot be prepared
   */
  public <P extends PreparedRow<T>> List<P> withNumber(
      List<P> group, long number, Function<? super T, ? extends P> prepare) {
    Plan<T, C> plan = plans.get();
    try {
      return each(
          group,
          i -> {
            T row = group.get(i).row();
            int count = plan.take().apply(row).count();
            return prepared(plan, row, Collections.nCopies(count, number), prepare);
          });
    } catch (GroupFailedException failure) {
      throw new GroupFailedException(
          Kind.UNKNOWN,
          new IllegalStateException(
              "a row could not be prepared with the number "
                  + number
                  + ", so it is unknown whether its key depends on its number",
              failure.reason()));
    }
  }

  /** An extra number would be lost, and a missing one would leave a row without a number. */
  private static void requireAll(Map<String, Integer> counts, Map<String, List<Long>> numbers) {
    counts.forEach(
        (name, count) -> {
          List<Long> given = numbers.getOrDefault(name, List.of());
          long nulls = given.stream().filter(Objects::isNull).count();
          if (given.size() != count || nulls > 0) {
            throw miscounted(
                name,
                count,
                given.size() + " numbers" + (nulls == 0 ? "" : ", " + nulls + " of them null"));
          }
        });
  }

  private static GroupFailedException noAnswer(Map<String, Integer> counts) {
    Map.Entry<String, Integer> first = counts.entrySet().iterator().next();
    return miscounted(first.getKey(), first.getValue(), "no answer");
  }

  private static GroupFailedException miscounted(String name, int requested, String received) {
    return new GroupFailedException(
        Kind.GROUP_REFUSED,
        new IllegalStateException(
            "sequence "
                + ShownText.quote(name)
                + " received a request for "
                + requested
                + " numbers, and returned "
                + received));
  }

  /** A row at fault takes no number: the next row of its sequence is tried with the same. */
  private <P> List<P> numbered(
      List<? extends PreparedRow<T>> group,
      Plan<T, C> plan,
      List<Take> takes,
      Map<String, List<Long>> numbers,
      Function<? super T, ? extends P> prepare) {
    Map<String, Integer> used = new HashMap<>();
    return each(
        group,
        i -> {
          Take own = takes.get(i);
          int from = used.getOrDefault(own.sequence(), 0);
          int to = from + own.count();
          List<Long> given =
              List.copyOf(numbers.getOrDefault(own.sequence(), List.of()).subList(from, to));
          P row = prepared(plan, group.get(i).row(), given, prepare);
          used.put(own.sequence(), to);
          return row;
        });
  }

  private <P> P prepared(
      Plan<T, C> plan, T row, List<Long> numbers, Function<? super T, ? extends P> prepare) {
    return prepare.apply(
        Objects.requireNonNull(
            plan.assigner().apply(row, numbers), "the assigner returned null for a row"));
  }

  private static <T, P extends PreparedRow<T>> void requireWithin(
      String what, List<P> group, List<P> rows, ToLongFunction<P> measure, long limit) {
    requireWithin(what, group, rows.stream().mapToLong(measure).sum(), limit);
  }

  /** The error has the first row as it arrived, without a number. */
  private static <T> void requireWithin(
      String what, List<? extends PreparedRow<T>> group, long size, long limit) {
    if (size > limit) {
      throw new GroupFailedException(
          Kind.TOO_LARGE, RowTooLargeException.of(what, size, limit, group));
    }
  }
}
