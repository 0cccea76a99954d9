package io.millrace;

import io.millrace.engine.Engine;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Unique numbers, on demand.
 *
 * <p>Every publisher here is cold. Any number of threads may subscribe to it, any number of times.
 * A value is taken when it is requested, not when the publisher is assembled or subscribed to. A
 * subscriber that cancels keeps the values that it received. Values that it requested and did not
 * receive go to other subscribers.
 *
 * <p><b>Unique.</b> No value is emitted twice by the processes that share the counter, as long as
 * the counter is not reset or restored from a backup.
 *
 * <p><b>Order.</b> With an {@linkplain SequenceStore#isOrdered() ordered} store the values of one
 * subscription rise strictly. Values of subscriptions that run at the same time interleave.
 *
 * <p><b>Gaps.</b> A value that was reserved and never issued is a gap. For example, the values that
 * a process holds are gaps if it stops without {@link SequenceGenerator#disposeLater()}.
 *
 * <p>Do not implement this interface outside Millrace: methods may be added.
 */
public interface Sequence {

  /**
   * Emits one value to each subscription, when it is requested.
   *
   * <p>Thread of delivery: if a value is buffered, the thread that requests it. Otherwise the
   * generator's {@code deliverOn} scheduler, or without one the thread that made the value
   * available, usually the thread on which the store answered. A subscriber that cancels while it
   * waits leaves the line and takes no value.
   *
   * @return a value. Errors: {@link SequenceWaiterLimitException} if the subscriber would have to
   *     wait and the line is full, {@link SequenceTimeoutException} after {@code acquireTimeout},
   *     {@link SequenceReservationException} after the last attempt to reserve, the store's own
   *     {@link SequenceException} if the failure is permanent, {@link SequenceDisposedException} if
   *     the generator is disposed
   */
  Mono<Long> next();

  /**
   * Emits several values to each subscription, as one list, when they are requested. With an
   * ordered store the values rise. They need not be consecutive.
   *
   * <p>Thread of delivery and errors: as for {@link #next()}. If the subscriber cancels or an error
   * comes before the list is complete, the values collected so far are given back.
   *
   * @param count how many values, 1 or more
   * @return a list of exactly {@code count} values; the subscriber may keep it but not change it
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  Mono<List<Long>> next(int count);

  /**
   * Emits as many values as each subscription requests, without an end.
   *
   * <p>Values are taken when they are requested. So an operator that prefetches ({@code publishOn},
   * {@code flatMap}) takes values before they are used; {@code limitRate} or {@link #assign} bounds
   * that. An unbounded request is served forever, a block at a time, of at most {@code
   * maxBlockSize} values.
   *
   * <p>Thread of delivery and errors: as for {@link #next()}; {@link SequenceWaiterLimitException}
   * only before the first value. A cancel gives back every value not emitted by then.
   *
   * @return an infinite stream of values
   */
  Flux<Long> values();

  /**
   * Makes an operator, for {@code Flux.transform}, that assigns one value to each element of a
   * stream, in the order of the stream. It requests a value when an element has arrived, and
   * several values at once when several elements have arrived. So no value is taken for an element
   * that never comes.
   *
   * <p>The operator requests no more elements than downstream has requested, and at most 256 at a
   * time. If the stream is cancelled or the sequence fails, elements without a value go to {@code
   * Flux.doOnDiscard}. If upstream completes or fails, the elements that arrived before still get
   * their values.
   *
   * <p>Thread of delivery: the thread on which the later of element and value arrived.
   *
   * @param assigner combines an element and its value to a result, which must not be null; if it
   *     throws or returns null, the value is a gap
   * @param <T> the type of the elements
   * @param <R> the type of the results
   * @return an operator; it takes values for each subscription. Errors: those of upstream, of
   *     {@link #values()}, and of the assigner
   */
  default <T, R> Function<Flux<T>, Flux<R>> assign(
      ObjLongFunction<? super T, ? extends R> assigner) {
    return Engine.assign(values(), assigner);
  }

  /**
   * Returns a view of this sequence that passes each value through a function, for example a bit
   * reversal. The view shares the buffer and the line of this sequence. It needs no disposal.
   *
   * <p>The values of the view are unique if the function maps different values to different
   * results, and rise only if the function keeps the order. If the function throws, the
   * subscription fails and the value is a gap.
   *
   * @param mapper from a value of this sequence to a value of the view
   * @return the view
   */
  default Sequence map(LongUnaryOperator mapper) {
    return Engine.map(this, mapper);
  }

  /**
   * Returns a view of this sequence for callers that wait: Spring MVC, JPA, jobs, virtual threads.
   * The view shares the buffer and the line of this sequence. It needs no disposal.
   *
   * @return the view; it takes nothing before it is called
   */
  default BlockingSequence asBlocking() {
    return new BlockingSequence(this);
  }
}
