package io.millrace.engine;

import io.millrace.Sequence.Assigner;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/**
 * Assigns one value to each element that the source emits, in the order of arrival. An element that
 * never arrives uses no value.
 *
 * <p><b>Values</b> are requested in runs: one request covers all elements that have arrived since
 * the last one. The operator subscribes to {@code values} once, when the first element arrives. It
 * cancels that subscription when the operator ends or is cancelled.
 *
 * <p><b>Demand.</b> Elements are outstanding once they are requested from the source and until they
 * are emitted. At most {@value #PREFETCH} are outstanding, and never more than the subscriber has
 * requested. If the subscriber's demand is larger than the prefetch, the next request to the source
 * follows when three quarters have been emitted. Otherwise it follows at once.
 *
 * <p>Termination: completion and error of the source follow the elements before them. An error of
 * {@code values} follows the elements that had their value, the others are discarded; so is it if
 * {@code values} completes while an element lacks one. An assigner that throws or returns null ends
 * the sequence with {@link reactor.core.publisher.Operators#onOperatorError}. Values of a generator
 * that came for elements and were not passed on go back to it.
 *
 * <p><b>Threads.</b> Elements are emitted one at a time, on the thread that completed the pair of
 * element and value: the thread of the source, of {@code values}, or of a request.
 */
final class AssignFlux<T, R> extends FluxOperator<T, R> {

  /** How many elements may be requested from the source and not yet emitted. */
  static final int PREFETCH = 256;

  private final Flux<Long> values;
  private final Assigner<? super T, ? extends R> assigner;

  AssignFlux(
      Flux<? extends T> source, Flux<Long> values, Assigner<? super T, ? extends R> assigner) {
    super(source);
    this.values = Objects.requireNonNull(values, "values");
    this.assigner = Objects.requireNonNull(assigner, "assigner");
  }

  /** Returns an operator for {@code Flux.transform}, with Reactor's assembly hooks applied. */
  static <T, R> Function<Flux<T>, Flux<R>> operator(
      Flux<Long> values, Assigner<? super T, ? extends R> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    return source -> onAssembly(new AssignFlux<>(source, values, assigner));
  }

  @Override
  public void subscribe(CoreSubscriber<? super R> actual) {
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
