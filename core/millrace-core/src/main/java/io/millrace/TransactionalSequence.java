package io.millrace;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Takes values of a sequence inside a transaction of the application. The values are unique, in the
 * order of the commits, and without gaps: they are taken if and only if the transaction commits.
 * This is the <em>simple</em> and the <em>synchronous</em> generator of Google's guide "Sequence
 * generation in Spanner". A store makes the object, and documents the details of its database.
 *
 * <p>The price is that transactions that use the same sequence run one after another. Each holds
 * the row of the sequence from its first value to the commit. So keep them short. If gaps do no
 * harm, use a {@link SequenceGenerator}.
 *
 * <p>Create one object, and use it in any number of transactions at once. Two values taken in one
 * transaction always differ, also if two objects of the same sequence took them. Do not use a value
 * outside the transaction except as its result: an attempt that does not commit gives its values
 * back.
 *
 * @param <C> the type of a transaction: {@code SpannerTransaction}, or R2DBC's {@code Connection}
 */
public interface TransactionalSequence<C> {

  /**
   * Returns the name of the sequence.
   *
   * @return the name given to the store
   */
  String sequence();

  /**
   * Takes one value, at each subscription. The default takes it by {@link #next(Object, int)}.
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
   * @param count how many, 1 or more
   * @return the values, rising by 1; thread and errors as for {@link #next(Object)}
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  Mono<List<Long>> next(C transaction, int count);
}
