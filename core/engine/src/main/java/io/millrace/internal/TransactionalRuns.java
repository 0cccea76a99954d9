package io.millrace.internal;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/**
 * The two ways in which the transactional sequences of all databases give values: consecutive
 * values are taken in one step, and identified by the first.
 *
 * @param <C> what a transaction is to the application
 */
public abstract class TransactionalRuns<C> {

  /** A sequence that has taken nothing. */
  protected TransactionalRuns() {}

  /**
   * Takes one value, at each subscription.
   *
   * @param transaction the transaction that uses the value
   * @return the value, with errors as {@link #take} has them
   */
  public final Mono<Long> next(C transaction) {
    return take(transaction, 1, first -> first);
  }

  /**
   * Takes consecutive values, at each subscription.
   *
   * @param transaction the transaction that uses the values
   * @param count how many, 1 or more
   * @return the values, rising by 1, with errors as {@link #take} has them
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public final Mono<List<Long>> next(C transaction, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    return take(
        transaction, count, first -> LongStream.range(first, first + count).boxed().toList());
  }

  /**
   * Takes consecutive values, at each subscription.
   *
   * @param <V> what the caller gets
   * @param transaction the transaction that uses the values
   * @param count how many, 1 or more
   * @param values converts the first value to what the caller gets
   * @return what {@code values} makes of the first value, or an error
   */
  protected abstract <V> Mono<V> take(C transaction, int count, LongFunction<V> values);
}
