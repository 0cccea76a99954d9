package io.millrace.periodic;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Numbers that start again at 1 with each period, taken in transactions of the application, without
 * gaps. {@link Periods#transactional} makes one.
 *
 * <p>A number belongs to the period in which it was requested, by the clock of this process, also
 * if the transaction commits after the period's end. The numbers of a period are in the order of
 * the commits.
 *
 * <p>The row of a period is created when this object first needs it, in a transaction of its own
 * that does not wait for the application's. If that fails, so does the call, and the next call
 * tries again. Call {@link #prepare} before the first transaction of a period, if the store has few
 * connections, or on the emulator of Spanner, which runs one transaction at a time.
 *
 * @param <C> the type of a transaction
 */
public final class PeriodicTransactionalSequence<C> {

  /** Around midnight two are in use; a transaction that began long ago may need an older one. */
  private static final int KEPT = 4;

  /** The only time to keep a row for which Reactor sets no timer. */
  private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

  private final Periods periods;
  private final SequenceStore store;
  private final Function<String, TransactionalSequence<C>> transactional;

  /** By period. Periods sort by time. */
  private final ConcurrentSkipListMap<String, Row<C>> rows = new ConcurrentSkipListMap<>();

  /**
   * The row of a period.
   *
   * @param created completes when the row exists; asks the store once, unless that fails
   */
  private record Row<C>(TransactionalSequence<C> sequence, Mono<Void> created) {}

  PeriodicTransactionalSequence(
      Periods periods,
      SequenceStore store,
      Function<String, TransactionalSequence<C>> transactional) {
    this.periods = periods;
    this.store = Objects.requireNonNull(store, "store");
    this.transactional = Objects.requireNonNull(transactional, "transactional");
  }

  /**
   * Takes one number, at each subscription.
   *
   * @param transaction the transaction that uses the number
   * @return the number; threads and errors as for {@link TransactionalSequence#next(Object)}
   */
  public Mono<PeriodicValue> next(C transaction) {
    return next(transaction, 1).map(values -> values.get(0));
  }

  /**
   * Takes several numbers of one period, at each subscription.
   *
   * @param transaction the transaction that uses the numbers
   * @param count how many, 1 or more
   * @return the numbers, rising by 1; threads and errors as for {@link
   *     TransactionalSequence#next(Object, int)}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public Mono<List<PeriodicValue>> next(C transaction, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return Mono.defer(
        () -> {
          String period = periods.current();
          Row<C> row = row(period);
          return row.created()
              .then(Mono.defer(() -> row.sequence().next(transaction, count)))
              .map(
                  numbers ->
                      numbers.stream().map(number -> periods.value(period, number)).toList());
        });
  }

  /**
   * Takes one number of the current period when the work of the transaction is done, and calls a
   * function with it before the commit. The period is that of the subscription.
   *
   * @param transaction the transaction that uses the number
   * @param use called with the number; must not block or return null
   * @param <T> the type of the function's value
   * @return registers the function; otherwise as for {@link TransactionalSequence#atCommit}
   */
  public <T> Mono<Mono<T>> atCommit(
      C transaction, Function<? super PeriodicValue, ? extends Mono<T>> use) {
    Objects.requireNonNull(use, "use");
    return Mono.defer(
        () -> {
          String period = periods.current();
          Row<C> row = row(period);
          return row.created()
              .then(
                  Mono.defer(
                      () ->
                          row.sequence()
                              .atCommit(
                                  transaction,
                                  number -> use.apply(periods.value(period, number)))));
        });
  }

  /**
   * Creates the row of the current period, unless it exists.
   *
   * @return completes when the row exists. Errors: those of {@link SequenceStore#create}
   */
  public Mono<Void> prepare() {
    return Mono.defer(() -> row(periods.current()).created());
  }

  private Row<C> row(String period) {
    Row<C> row = rows.computeIfAbsent(period, this::newRow);
    while (rows.size() > KEPT) {
      rows.pollFirstEntry();
    }
    return row;
  }

  private Row<C> newRow(String period) {
    String name = periods.row(period);
    Mono<Void> created =
        store.create(name, 1).cache(value -> FOREVER, failure -> Duration.ZERO, () -> FOREVER);
    return new Row<>(transactional.apply(name), created);
  }

  @Override
  public String toString() {
    return "PeriodicTransactionalSequence[" + ShownText.name(periods.row(periods.current())) + "]";
  }
}
