package io.millrace.periodic;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ShownText;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Numbers that restart with each period, taken in transactions of the application, without gaps.
 * Created by {@link Periods#transactional}.
 *
 * <p>A number belongs to the period in which it was requested, by the clock of this process, even
 * if the transaction began before that period or commits after its end. A retried attempt requests
 * it again. The numbers of a period are in the order of the commits.
 *
 * <p>The row of a period is created when this object first needs it, in a separate transaction that
 * does not wait for the application's. If that fails, so does the call, and the next call tries
 * again. Call {@link #prepare} before the first transaction of a period if the store has few
 * connections, or on the emulator of Spanner, which runs one transaction at a time.
 *
 * @param <C> the type of a transaction
 */
public final class PeriodicTransactionalSequence<C> {

  private final Periods periods;
  private final PeriodicCounters<C> counters;

  PeriodicTransactionalSequence(Periods periods, PeriodicCounters<C> counters) {
    this.periods = periods;
    this.counters = counters;
  }

  /** {@return the periods, which format the numbers} */
  public Periods periods() {
    return periods;
  }

  /**
   * Returns the sequence of one tenant, account or series, which has separate counters. It is cheap
   * to create and need not be kept.
   *
   * @param tenant not blank, and without {@code /}
   * @return the sequence for {@link Periods#forTenant}
   * @throws IllegalArgumentException if {@code tenant} is blank or contains {@code /}
   */
  public PeriodicTransactionalSequence<C> forTenant(String tenant) {
    return new PeriodicTransactionalSequence<>(periods.forTenant(tenant), counters);
  }

  /**
   * Returns the sequence of a period, for code that takes plain numbers.
   *
   * @param row a row of {@link #periods}
   * @return a sequence without gaps, which creates its row when first used
   */
  public TransactionalSequence<C> sequence(Periods.Row row) {
    return counters.counter(row.name());
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
   * @param count the number of numbers, 1 or more
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
          Periods.Row row = periods.now();
          return sequence(row).next(transaction, count).map(row::values);
        });
  }

  /**
   * Creates the row of the current period, unless it exists.
   *
   * @return completes when the row exists. Errors: those of {@link SequenceStore#create}
   */
  public Mono<Void> prepare() {
    return Mono.defer(() -> counters.counter(periods.now().name()).created());
  }

  @Override
  public String toString() {
    return "PeriodicTransactionalSequence[" + ShownText.name(periods.now().name()) + "]";
  }
}
