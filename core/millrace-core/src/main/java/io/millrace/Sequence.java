package io.millrace;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A source of unique numbers.
 *
 * <p>All publishers are cold, and may be subscribed to by any number of threads, any number of
 * times. A value is taken when it is requested, not when the publisher is assembled or subscribed
 * to. Values that a cancelled subscriber requested but did not receive go to other subscribers.
 *
 * <p><b>Unique.</b> The processes that share a counter never emit a value twice, unless the counter
 * is reset or restored from a backup.
 *
 * <p><b>Order.</b> With an {@linkplain SequenceStore#isOrdered() ordered} store, the values of one
 * subscription rise strictly. The values of concurrent subscriptions interleave.
 *
 * <p><b>Gaps.</b> A value that was reserved and never issued is a gap. For example, a process that
 * stops without {@link SequenceGenerator#disposeLater()} leaves its buffered values as a gap.
 *
 * <p>Do not implement this interface outside Millrace: methods may be added.
 */
public interface Sequence {

  /**
   * Emits one value to each subscription, when it is requested.
   *
   * <p>Thread of delivery: a buffered value is delivered on the thread that requests it. A value
   * that had to wait is delivered on the generator's {@code deliverOn} scheduler, or by default on
   * the thread that made it available, usually the one on which the store answered. A subscriber
   * that cancels while it waits leaves the line and takes no value.
   *
   * @return a value. Errors: {@link SequenceWaiterLimitException} if the subscriber would have to
   *     wait and the line is full, {@link SequenceTimeoutException} after {@code acquireTimeout},
   *     {@link SequenceReservationException} after the last attempt to reserve, the store's {@link
   *     SequenceException} if the failure is permanent, {@link SequenceDisposedException} if the
   *     generator is disposed
   */
  Mono<Long> next();

  /**
   * Emits a list of values to each subscription, when it is requested. With an ordered store the
   * values rise, but they need not be consecutive.
   *
   * <p>Thread of delivery and errors: as for {@link #next()}. If the subscriber cancels or an error
   * occurs before the list is complete, the values collected so far are given back to the buffer.
   *
   * @param count the number of values, 1 or more
   * @return an unmodifiable list of exactly {@code count} values
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  Mono<List<Long>> next(int count);

  /**
   * Emits as many values as each subscription requests, without end.
   *
   * <p>Values are taken when they are requested. An operator that prefetches ({@code publishOn},
   * {@code flatMap}) therefore takes values before they are used; {@code limitRate} or {@link
   * #assign} limits this. An unbounded request is served indefinitely, in blocks of at most {@code
   * maxBlockSize} values.
   *
   * <p>Thread of delivery and errors: as for {@link #next()}; {@link SequenceWaiterLimitException}
   * only before the first value. When the subscription is cancelled, the values claimed for it and
   * not yet emitted are given back.
   */
  Flux<Long> values();

  /**
   * Returns an operator for {@code Flux.transform} that assigns one value to each element, in the
   * order of the stream. It requests values only for elements that have arrived, so it takes no
   * value that it does not use.
   *
   * <p>The operator requests no more elements than downstream has requested, and at most 256 at a
   * time. If the stream is cancelled or the sequence fails, elements without a value are passed to
   * {@code Flux.doOnDiscard}, and values that were not assigned are given back. If upstream
   * completes or fails, the elements that arrived before still receive their values.
   *
   * <p>Thread of delivery: the one on which the element or its value arrived, whichever came last.
   *
   * @param assigner combines an element and its value; if it throws or returns null, the stream
   *     fails and the value is a gap
   * @return the operator. Errors: those of upstream, of {@link #values()}, and of the assigner
   */
  <T, R> Function<Flux<T>, Flux<R>> assign(Assigner<? super T, ? extends R> assigner);

  /**
   * Combines an element and its value. The primitive value saves an object of 24 bytes for each
   * element. A method that takes a {@code Long} is accepted as well.
   */
  @FunctionalInterface
  interface Assigner<T, R> {

    /** Combines an element and its value. */
    R apply(T element, long value);
  }

  /**
   * Returns a view of this sequence that applies a function to each value, for example a bit
   * reversal. The view shares the buffer and the line of this sequence, and need not be disposed.
   *
   * <p>The values of the view are unique if the function is injective, and rise if it preserves
   * order. If the function throws, the subscription fails and the value is a gap.
   *
   * @param mapper maps a value of this sequence to a value of the view
   */
  default Sequence map(LongUnaryOperator mapper) {
    return new MappedSequence(this, mapper);
  }
}
