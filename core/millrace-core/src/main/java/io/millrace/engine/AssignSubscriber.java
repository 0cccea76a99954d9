package io.millrace.engine;

import io.millrace.Sequence.Assigner;
import io.millrace.internal.OperatorLoop;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One subscription to an {@link AssignFlux}: pairs the elements of the source with the values.
 *
 * <p>One thread at a time emits and requests, in the drain loop. A source or values that answer
 * within {@code request} find the loop running and return at once. So the elements that arrive
 * within one request share one run of values.
 *
 * <p><b>Invariant.</b> {@code outstanding <= min(PREFETCH, requested())}. So an element that has a
 * value can be emitted.
 */
final class AssignSubscriber<T, R> extends OperatorLoop<T, R> {

  /** Requests more from the source once this many of the prefetched elements are emitted. */
  private static final int REPLENISH = AssignFlux.PREFETCH - AssignFlux.PREFETCH / 4;

  private final Flux<Long> values;
  private final Assigner<? super T, ? extends R> assigner;
  private final AssignValuesSubscriber valuesSubscriber = new AssignValuesSubscriber(this);

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<AssignSubscriber> ARRIVED =
      AtomicLongFieldUpdater.newUpdater(AssignSubscriber.class, "arrived");

  /** The elements without a value. Filled by the source's {@code onNext}, emptied by the loop. */
  private final Queue<T> elements = Queues.<T>get(AssignFlux.PREFETCH).get();

  /** How many elements have come. Written by the source's {@code onNext}, after the element. */
  private volatile long arrived;

  /** How many elements are requested from the source and not yet emitted; drain loop only. */
  private long outstanding;

  /** Whether a value that arrives within the loop may be emitted at once; drain loop only. */
  private boolean mayEmitAtOnce;

  /** How many were emitted at once since the last request for values; drain loop only. */
  private long emittedAtOnce;

  /** How many values have been requested; drain loop only. */
  private long valuesRequested;

  /** Whether {@link #values} was subscribed to; drain loop only. */
  private boolean valuesStarted;

  AssignSubscriber(
      CoreSubscriber<? super R> actual,
      Flux<Long> values,
      Assigner<? super T, ? extends R> assigner) {
    super(actual);
    this.values = values;
    this.assigner = assigner;
  }

  @Override
  public void onNext(T element) {
    if (sourceDone) {
      Operators.onNextDropped(element, currentContext());
      return;
    }
    if (!elements.offer(element)) {
      overflow(element);
      return;
    }
    ARRIVED.lazySet(this, arrived + 1);
    drain();
  }

  @Override
  protected void cancelled() {
    if (isWithinDrain()) {
      valuesSubscriber.settle(); // before the subscriber continues, perhaps with another generator
    } else {
      valuesSubscriber.cancel(); // at once: the loop may be blocked
    }
  }

  @Override
  protected void pass() {
    if (!finished) {
      if (emit()) {
        requestValues();
        if (!finished) {
          requestElements();
        }
      }
    }
    if (finished) {
      finish();
    }
  }

  /**
   * Emits the elements that have a value, then terminates if it is time; false once it has ended.
   */
  private boolean emit() {
    boolean noMoreElements = sourceDone;
    boolean noMoreValues = valuesSubscriber.isDone();
    long demand = requested();
    long emitted = 0;
    while (emitted != demand && !finished && !elements.isEmpty()) {
      Long value = valuesSubscriber.poll();
      T element = value == null ? null : elements.poll();
      if (element == null || value == null) {
        break;
      }
      if (!emitPair(element, value)) {
        return false;
      }
      emitted++;
    }
    if (emitted != 0) {
      outstanding -= emitted;
      produced(emitted);
    }
    if (finished) {
      return false;
    }
    if (noMoreElements && elements.isEmpty()) {
      terminate(takeSourceError());
      return false;
    }
    if (noMoreValues && valuesSubscriber.isEmpty()) {
      Throwable error = valuesSubscriber.takeError();
      if (error == null && !elements.isEmpty()) {
        error = new IllegalStateException("the values completed before the elements");
      }
      if (error != null) {
        terminate(error);
        return false;
      }
    }
    return true;
  }

  /** Emits an element with its value. Returns false if the assigner threw: then it has ended. */
  private boolean emitPair(T element, long value) {
    R assigned;
    try {
      assigned =
          Objects.requireNonNull(assigner.apply(element, value), "the assigner returned null");
    } catch (Throwable thrown) {
      terminate(mapped(thrown, element));
      Operators.onDiscard(element, currentContext());
      return false;
    }
    actual.onNext(assigned);
    return true;
  }

  /** Requests one value for each element that has arrived since the last request. */
  private void requestValues() {
    long count = arrived;
    if (count == valuesRequested) {
      return;
    }
    if (!valuesStarted) {
      valuesStarted = true;
      values.subscribe(valuesSubscriber);
    }
    if (valuesSubscriber.isSubscribed()) {
      long run = count - valuesRequested;
      valuesRequested = count;
      emittedAtOnce = 0;
      mayEmitAtOnce = true;
      valuesSubscriber.request(run);
      mayEmitAtOnce = false;
      if (emittedAtOnce != 0) {
        outstanding -= emittedAtOnce;
        produced(emittedAtOnce);
      }
    }
  }

  /**
   * Emits the oldest elements with consecutive values that come while values are asked for, from
   * within the drain loop. A value that comes while the subscriber handles the previous one has to
   * wait. Throws nothing if the subscriber does not, since the generator must learn how many values
   * are used.
   */
  long emitAtOnce(long first, long count) {
    if (!isWithinDrain() || !mayEmitAtOnce || finished) {
      return 0;
    }
    mayEmitAtOnce = false;
    long value = first;
    long end = first + Math.min(count, requested() - emittedAtOnce);
    while (value != end && !finished) {
      T element = elements.poll();
      if (element == null || !emitPair(element, value++)) {
        break;
      }
    }
    long used = value - first;
    emittedAtOnce += used;
    if (used != 0) {
      drain();
    }
    mayEmitAtOnce = !finished;
    return used;
  }

  /** Requests elements if there is room for enough, or for the subscriber's whole demand. */
  private void requestElements() {
    long demand = requested();
    long room = Math.min(AssignFlux.PREFETCH, demand) - outstanding;
    if (room > 0 && (room >= REPLENISH || outstanding + room == demand)) {
      outstanding += room;
      source.request(room);
    }
  }

  /**
   * Ends the use of source and values, signals the subscriber, and discards what is held or comes
   * later.
   */
  private void finish() {
    boolean signalsEnd = mustSignalEnd();
    if (signalsEnd && !sourceDone) {
      cancelSource();
    }
    valuesSubscriber.settle();
    if (signalsEnd) {
      signalEnd();
    }
    discard();
  }

  /** Discards held elements, and drops errors that came too late to be emitted. */
  private void discard() {
    Context context = currentContext();
    for (T element = elements.poll(); element != null; element = elements.poll()) {
      Operators.onDiscard(element, context);
    }
    drop(takeSourceError());
    drop(valuesSubscriber.takeError());
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PREFETCH) {
      return AssignFlux.PREFETCH;
    }
    if (key == Attr.BUFFERED) {
      return elements.size();
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.SYNC;
    }
    return super.scanUnsafe(key);
  }

  @Override
  public Stream<? extends Scannable> inners() {
    return Stream.of(valuesSubscriber);
  }
}
