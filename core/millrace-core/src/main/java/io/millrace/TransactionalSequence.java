package io.millrace;

import io.millrace.internal.ShownText;
import java.util.List;
import java.util.function.LongFunction;
import reactor.core.publisher.Mono;

/**
 * Takes values of a sequence inside a transaction of the application. The values are unique, in the
 * order of the commits, and without gaps: they are taken if and only if the transaction commits.
 * This is the <em>simple</em> and the <em>synchronous</em> generator of Google's guide "Sequence
 * generation in Spanner". The store that creates the object documents what is specific to its
 * database.
 *
 * <p>Transactions that use the same sequence run one after another, because each locks the row of
 * the sequence from its first value to the commit. Keep that time short: take the value {@linkplain
 * #atCommit at the commit} if the transaction does other work. If gaps are acceptable, use a {@link
 * SequenceGenerator}.
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

  /**
   * Takes one value when the work of the transaction is done, and calls a function with it before
   * the commit. Other transactions wait for the row of the sequence only while one read, the
   * function and the commit run, however long the work takes.
   *
   * <pre>{@code
   * Mono<Order> saved = SpannerTransactions.readWrite(client, tx ->
   *         reserveStock(tx, order).flatMap(reserved ->
   *             numbers.atCommit(tx, number -> insert(tx, reserved.withNumber(number)))))
   *     .flatMap(numbered -> numbered);       // the inserted order, after the commit
   * }</pre>
   *
   * <p>Each subscription registers the function once more, and does nothing else. Neither
   * cancelling nor an error that the work handles withdraws it. The function is called if the work
   * succeeds, after all other hooks of the transaction. If the transaction is retried, each attempt
   * registers and calls it again, possibly with another value.
   *
   * <p>If several functions are registered, their values are taken first: those of one object
   * together, in the order of registration, and different sequences in the same order in all
   * transactions. Then the functions are called one after another, in the order of registration. A
   * function may register more. It sees the Reactor Context of the subscription that registered it.
   *
   * <p>If taking the value or the function fails, the transaction is rolled back, and no value is
   * lost.
   *
   * @param transaction the transaction that uses the value; the library or Spring must commit it,
   *     as the store documents
   * @param use called with the value, on the thread on which the value arrived; must not block or
   *     return null. The transaction waits for its {@code Mono}
   * @return emits at registration, on the subscribing thread, a {@code Mono} of the function's
   *     value, empty if the function's is. Return it from the transaction, and subscribe to it
   *     afterwards, any number of times: before the function has completed, it fails with an {@link
   *     IllegalStateException}. Errors: {@link IllegalStateException} if the function cannot be
   *     registered, because the transaction is over or is committed by other code; {@link
   *     UnsupportedOperationException} if this kind of sequence cannot do it
   */
  default <T> Mono<Mono<T>> atCommit(C transaction, LongFunction<? extends Mono<T>> use) {
    return Mono.error(
        () ->
            new UnsupportedOperationException(
                "sequence " + ShownText.quote(name()) + " cannot take values at the commit"));
  }
}
