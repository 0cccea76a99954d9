package io.millrace;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Unique numbers, on demand.
 *
 * <p>Every publisher here is cold, may be subscribed to any number of times and by any number of
 * threads at once, and takes values only as they are requested: a value is taken when it is
 * requested, not when the publisher is assembled or subscribed to. A subscriber that cancels keeps
 * what it was given and nothing else; what it asked for and was not given goes to others.
 *
 * <p><b>Unique.</b> No value is emitted twice, to anybody, in any process that shares the counter,
 * as long as the counter is not reset or restored from a backup.
 *
 * <p><b>Order.</b> Over an {@linkplain SequenceStore#isOrdered() ordered} store the values of one
 * subscription rise strictly. Values of subscriptions that run at the same time interleave.
 *
 * <p><b>Gaps.</b> A value that was reserved and never issued is a gap: what a process holds when it
 * stops without {@link SequenceGenerator#disposeLater()}, for example.
 *
 * <p>Not for implementation outside Millrace: methods may be added.
 */
public interface Sequence {

  /**
   * Gives one value to each subscription, when it is requested.
   *
   * <p>Thread of delivery: the thread that requests, if a value is buffered. Otherwise the thread
   * that made the value available, most often the one on which the store answered, or the
   * generator's {@code deliverOn} scheduler. Cancelling while waiting gives the place in the line
   * up, and no value is taken.
   *
   * @return a value. Errors: {@link SequenceWaiterLimitException} if it would have to wait and the
   *     line is full, {@link SequenceTimeoutException} after {@code acquireTimeout}, {@link
   *     SequenceReservationException} or the store's own permanent {@link SequenceException} if the
   *     reservation fails for good, {@link SequenceDisposedException} if the generator is disposed
   */
  Mono<Long> next();

  /**
   * Gives several values to each subscription, all at once, when they are requested. The values
   * rise over an ordered store and are consecutive where they come from one block; over several
   * blocks they need not be.
   *
   * <p>Thread of delivery and errors: as {@link #next()}. Cancelling, or an error, before the list
   * is complete gives back what was collected for it.
   *
   * @param count how many values, 1 or more
   * @return a list of exactly {@code count} values, which the subscriber may keep but not change
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  Mono<List<Long>> next(int count);

  /**
   * Gives each subscription as many values as it requests, without an end.
   *
   * <p>A request counts from the moment it is made, so an operator that prefetches ({@code
   * publishOn}, {@code flatMap}) takes values before they are used; {@code limitRate} or {@link
   * #assign} bound that. An unbounded request is served without an end, a block of {@code
   * maxBatchSize} at a time.
   *
   * <p>Thread of delivery and errors: as {@link #next()}; {@link SequenceWaiterLimitException} only
   * before the first value. Cancelling gives back every value not emitted by then.
   *
   * @return an infinite stream of values
   */
  Flux<Long> values();

  /**
   * Makes an operator, for {@code Flux.transform}, that gives each element of a stream one value,
   * in the stream's order. Values are asked for as elements arrive, in runs where several have
   * arrived, so an element that never comes costs none.
   *
   * <p>From upstream it requests no more than downstream has requested, and at most {@value
   * AssignFlux#PREFETCH} elements at a time. Elements that wait for their value go to {@code
   * Flux.doOnDiscard} if the stream is cancelled or the sequence fails. When upstream completes or
   * fails, the elements before that get their value first.
   *
   * <p>Thread of delivery: the thread on which the later of element and value arrived.
   *
   * @param assigner combines an element and its value, to something not null; where it throws or
   *     returns null, the value is a gap
   * @param <T> the type of the elements
   * @param <R> the type of what the assigner makes of them
   * @return an operator; each stream it is applied to takes values of its own. Errors: those of
   *     upstream, of {@link #values()}, and of the assigner
   */
  default <T, R> Function<Flux<T>, Flux<R>> assign(
      ObjLongFunction<? super T, ? extends R> assigner) {
    return AssignFlux.operator(values(), assigner);
  }

  /**
   * A view of this sequence with each value passed through a function, for example a bit reversal.
   * It shares this sequence's buffer and line, and owns nothing that would have to be disposed.
   *
   * <p>The values of the view are as unique as the function is injective, and in no order that the
   * function does not keep. A function that throws fails the subscription, and the value is a gap.
   *
   * @param mapper from a value of this sequence to a value of the view
   * @return the view
   */
  default Sequence map(LongUnaryOperator mapper) {
    return new MappedSequence(this, mapper);
  }
}
