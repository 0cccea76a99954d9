package io.millrace;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Takes values of a sequence inside a transaction of the application. The values are unique, in the
 * order of the commits, and without gaps: they are taken if and only if the transaction commits.
 * This is the <em>simple</em> and the <em>synchronous</em> generator of Google's guide "Sequence
 * generation in Spanner". The store that creates the object documents what is specific to its
 * database.
 *
 * <p>Transactions that use the same sequence run one after another, because each locks the row of
 * the sequence from its first value to the commit. Keep that time short: take the value last, with
 * {@code work.then(numbers.next(transaction))}, if the transaction does other work. Take the values
 * of several sequences in the order of their names, or two transactions may deadlock. If gaps are
 * acceptable, use a {@link SequenceGenerator}.
 *
 * <p>One object may be used in any number of transactions at once. Two values taken in one
 * transaction always differ, even if they come from two objects of the same sequence. Do not use a
 * value outside the transaction except as its result: the values of an attempt that does not commit
 * are issued again.
 *
 * @param <C> the type of a transaction: {@code SpannerTransaction}, or R2DBC's {@code Connection}
 */
public interface TransactionalSequence<C> {

  /** {@return the name of the sequence, as passed to the store} */
  String name();

  /**
   * Takes one value, at each subscription. By default, calls {@link #next(Object, int)}.
   *
   * @param transaction the transaction that uses the value
   * @return the value, on a thread that the store names. Errors: {@link SequenceNotFoundException}
   *     if the sequence has no row, {@link SequenceExhaustedException} at the end of its range,
   *     {@link IllegalStateException} if there is no transaction, or what the database reports
   */
  default Mono<Long> next(C transaction) {
    return next(transaction, 1).map(values -> values.get(0));
  }

  /**
   * Takes consecutive values, at each subscription.
   *
   * @param transaction the transaction that uses the values
   * @param count the number of values, 1 or more
   * @return the values, rising by 1; thread and errors as for {@link #next(Object)}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  Mono<List<Long>> next(C transaction, int count);
}
