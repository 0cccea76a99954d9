package io.millrace;

import io.millrace.internal.StackRoom;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/**
 * Gives every element of a source a value of its own: one value for each element that arrives, in
 * the order of arrival, and none for an element that never comes.
 *
 * <p>Values are asked for in runs: all the elements that have arrived since the last request are
 * covered by one. {@code values} is subscribed to once, when the first element arrives, and
 * cancelled with the end of the last.
 *
 * <p>Demand: at most {@value #PREFETCH} elements are outstanding, that is, asked of the source and
 * not yet emitted, and never more than the subscriber has asked for. While the subscriber's demand
 * is larger, the source is asked for more when three quarters have been emitted; otherwise at once.
 *
 * <p>Termination: completion and error of the source follow the elements before them. An error of
 * {@code values} follows the elements that had their value, the others are discarded; so is it if
 * {@code values} completes while an element lacks one. An assigner that throws or returns null ends
 * the sequence with {@link reactor.core.publisher.Operators#onOperatorError}; so does whatever else
 * throws, a subscriber, for example. Values of a generator that came for elements and were not
 * passed on go back to it.
 *
 * <p>ThreadLocals: with automatic context propagation, all that is called for a subscriber finds
 * those of its Context, on whichever thread.
 *
 * <p>Elements are emitted on the thread that made the pair complete, the source's, that of {@code
 * values} or the requester's, one at a time.
 *
 * @param <T> the elements
 * @param <R> the elements with their values
 */
final class AssignFlux<T, R> extends FluxOperator<T, R> {

  /** How many elements may be asked of the source and not yet emitted. */
  static final int PREFETCH = 256;

  private final Flux<Long> values;
  private final ObjLongFunction<? super T, ? extends R> assigner;

  AssignFlux(
      Flux<? extends T> source,
      Flux<Long> values,
      ObjLongFunction<? super T, ? extends R> assigner) {
    super(source);
    this.values = Objects.requireNonNull(values, "values");
    this.assigner = Objects.requireNonNull(assigner, "assigner");
  }

  /** Makes an operator for {@code Flux.transform}, with what users' assembly hooks make of it. */
  static <T, R> Function<Flux<T>, Flux<R>> operator(
      Flux<Long> values, ObjLongFunction<? super T, ? extends R> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    return source -> onAssembly(new AssignFlux<>(source, values, assigner));
  }

  @Override
  public void subscribe(CoreSubscriber<? super R> actual) {
    StackRoom.forWorkAndDraining(); // otherwise an interrupted loop could not be ended
    source.subscribe(new AssignSubscriber<T, R>(actual, values, assigner));
  }

  @Override
  public int getPrefetch() {
    return PREFETCH;
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Scannable.Attr.RUN_STYLE) {
      return Attr.RunStyle.SYNC;
    }
    return super.scanUnsafe(key);
  }
}
