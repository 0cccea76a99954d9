package io.millrace;

import io.millrace.internal.ShownText;
import java.util.List;
import java.util.function.LongFunction;
import reactor.core.publisher.Mono;

/**
 * Takes values of a sequence inside a transaction of the application. The values are unique, in the
 * order of the commits, and without gaps: they are taken if and only if the transaction commits.
 * This is the <em>simple</em> and the <em>synchronous</em> generator of Google's guide "Sequence
 * generation in Spanner". A store makes the object, and documents the details of its database.
 *
 * <p>The price is that transactions that use the same sequence run one after another. Each holds
 * the row of the sequence from its first value to the commit. So keep that time short: take the
 * value {@linkplain #atCommit at the commit} if the transaction does other work. If gaps do no
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
  String name();

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

  /**
   * Takes one value when the work of the transaction is done, and calls a function with it before
   * the commit. So other transactions wait for the row of the sequence only as long as one read,
   * the function and the commit take, however long the work is.
   *
   * <pre>{@code
   * Mono<Order> saved = SpannerTransactions.readWrite(client, tx ->
   *         reserveStock(tx, order).flatMap(reserved ->
   *             numbers.atCommit(tx, number -> insert(tx, reserved.withNumber(number)))))
   *     .flatMap(numbered -> numbered);       // the inserted order, after the commit
   * }</pre>
   *
   * <p>Subscribing only registers the function, at once; each subscription registers it once more.
   * It cannot be withdrawn, neither by a cancel nor by an error that the work handles. The function
   * is called if the work succeeds, after all other hooks of the transaction. In a transaction that
   * is run again, each attempt registers and calls it anew, perhaps with another value.
   *
   * <p>If several are registered, the values of all are taken first: those of one object together,
   * in the order of registration, and different sequences in the same order in all transactions.
   * Then the functions are called one after the other, in the order of registration. A function may
   * register more. It sees the Reactor Context of the subscription that registered it.
   *
   * <p>If taking the value or the function fails, the transaction is rolled back, and no value is
   * lost.
   *
   * @param transaction the transaction that uses the value; it must be one whose commit the library
   *     or Spring sends, as the store documents
   * @param use called with the value, on the thread that the value came on; must not block or
   *     return null. The transaction waits for its {@code Mono}
   * @param <T> the type of the function's value
   * @return emits at registration, on the subscribing thread, a {@code Mono} of the function's
   *     value, or of nothing if the function gives none. Return it from the transaction, and
   *     subscribe to it afterwards, any number of times: before the function has completed it fails
   *     with an {@link IllegalStateException}. Errors: {@link IllegalStateException} if the
   *     transaction has no place for the function, because it is over or another part of the
   *     program commits it; {@link UnsupportedOperationException} if this kind of sequence cannot
   *     do it
   */
  default <T> Mono<Mono<T>> atCommit(C transaction, LongFunction<? extends Mono<T>> use) {
    return Mono.error(
        () ->
            new UnsupportedOperationException(
                "the sequence " + ShownText.quote(name()) + " takes no values at the commit"));
  }
}
