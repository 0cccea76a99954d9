package io.millrace;

import io.millrace.internal.OperatorLoop;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription to an {@link AssignFlux}: pairs the elements of the source with the values.
 *
 * <p>One thread at a time emits and requests, in the drain loop. A source or values that answer
 * within {@code request} find the loop running and return at once; that is what gathers the
 * elements that arrive within one request into one run of values.
 *
 * <p>Invariant: {@code outstanding <= min(PREFETCH, requested())}, so an element that has its value
 * can be emitted.
 *
 * <p>Whatever is thrown within the loop, by those it calls or for want of stack or memory, ends the
 * sequence as an error does.
 */
final class AssignSubscriber<T, R> extends OperatorLoop<T, R> {

  /** Ask the source for more once so many of the prefetched elements are emitted. */
  private static final int REPLENISH = AssignFlux.PREFETCH - AssignFlux.PREFETCH / 4;

  private final Flux<Long> values;
  private final ObjLongFunction<? super T, ? extends R> assigner;
  private final AssignValuesSubscriber valuesSubscriber = new AssignValuesSubscriber(this);

  /**
   * The elements that came from within the drain loop; each is older than those in {@link
   * #elements}. Drain loop only.
   */
  private final LocalQueue<T> gathered = new LocalQueue<>(AssignFlux.PREFETCH);

  /** The other elements. Filled by the source's {@code onNext}, emptied by the drain loop. */
  private final Arrivals<T> elements = new Arrivals<>(AssignFlux.PREFETCH);

  /**
   * Whether any may be in {@link #elements}. Used by {@code onNext} only, to ask the queue seldom.
   */
  private boolean queueing;

  /** The element whose assigner threw that; drain loop only. */
  private @Nullable T unassigned;

  /** Elements asked of the source and not yet emitted; drain loop only. */
  private long outstanding;

  /** Whether a value that comes now, from within the loop, may be emitted; drain loop only. */
  private boolean emitsAtOnce;

  /** How many were emitted since values were asked for the last time; drain loop only. */
  private long emittedAtOnce;

  /** How many values have been asked for; drain loop only. */
  private long valuesAsked;

  /** Whether {@link #values} was subscribed to; drain loop only. */
  private boolean valuesStarted;

  AssignSubscriber(
      CoreSubscriber<? super R> actual,
      Flux<Long> values,
      ObjLongFunction<? super T, ? extends R> assigner) {
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
    if (isWithinDrain() && !isQueueing() && gathered.offer(element)) {
      requestPass();
      return;
    }
    queueing = true;
    if (!elements.offer(element)) {
      overflow(element);
      return;
    }
    drain();
  }

  private boolean isQueueing() {
    if (queueing) {
      queueing = !elements.isEmpty();
    }
    return queueing;
  }

  private @Nullable T pollElement() {
    T element = gathered.poll();
    return element == null ? elements.poll() : element;
  }

  private boolean hasElements() {
    return !gathered.isEmpty() || !elements.isEmpty();
  }

  @Override
  protected void cancelled() {
    if (isWithinDrain()) {
      valuesSubscriber.settle(); // before the subscriber goes on, perhaps to another generator
    } else {
      valuesSubscriber.cancel(); // at once, though the loop may be held up
    }
  }

  @Override
  protected void pass() {
    if (!hasEnded()) {
      if (emit()) {
        requestValues();
        if (!hasEnded()) {
          requestElements();
        }
      }
      if (loopError instanceof StackOverflowError) {
        return; // not to be dealt with here, where the stack is full
      }
    }
    if (hasEnded()) {
      finish();
    }
  }

  /** Emits what has a value, then decides whether it is time to terminate; false if all is over. */
  private boolean emit() {
    boolean noMoreElements = sourceDone;
    boolean noMoreValues = valuesSubscriber.isDone();
    long demand = requested();
    long emitted = 0;
    while (emitted != demand && !finished && hasElements()) {
      Long value = valuesSubscriber.poll();
      T element = value == null ? null : pollElement();
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
    if (noMoreElements && !hasElements()) {
      terminate(takeSourceError());
      return false;
    }
    if (noMoreValues && valuesSubscriber.isEmpty()) {
      Throwable error = valuesSubscriber.takeError();
      if (error == null && hasElements()) {
        error = new IllegalStateException("the values completed before the elements");
      }
      if (error != null) {
        terminate(error);
        return false;
      }
    }
    return true;
  }

  /** Emits an element with its value; false if the assigner threw. */
  private boolean emitPair(T element, long value) {
    R assigned;
    try {
      assigned =
          Objects.requireNonNull(assigner.apply(element, value), "the assigner returned null");
    } catch (Throwable thrown) {
      unassigned = element;
      loopError = thrown;
      return false;
    }
    actual.onNext(assigned);
    return true;
  }

  /** Asks for one value for each element that has arrived since the last time. */
  private void requestValues() {
    long count = gathered.added() + elements.added();
    if (count == valuesAsked) {
      return;
    }
    if (!valuesStarted) {
      valuesStarted = true;
      values.subscribe(valuesSubscriber);
    }
    if (valuesSubscriber.isSubscribed()) {
      long run = count - valuesAsked;
      valuesAsked = count;
      emittedAtOnce = 0;
      emitsAtOnce = true;
      valuesSubscriber.request(run);
      emitsAtOnce = false;
      if (emittedAtOnce != 0) {
        outstanding -= emittedAtOnce;
        produced(emittedAtOnce);
      }
    }
  }

  /**
   * Emits the oldest elements with consecutive values that come while values are asked for, from
   * within the drain loop. A value that comes while the subscriber has the one before has to wait.
   * Throws nothing, since the generator has to know how many are used up.
   *
   * @return how many values are used up
   */
  long emitAtOnce(long first, long count) {
    if (!isWithinDrain() || !emitsAtOnce || hasEnded()) {
      return 0;
    }
    emitsAtOnce = false;
    long value = first;
    long end = first + Math.min(count, requested() - emittedAtOnce);
    try {
      while (value != end && !finished) {
        T element = pollElement();
        if (element == null || !emitPair(element, value++)) {
          break;
        }
      }
    } catch (Throwable thrown) {
      loopError = thrown;
    }
    long used = value - first;
    emittedAtOnce += used;
    if (used != 0) {
      requestPass();
    }
    emitsAtOnce = !finished;
    return used;
  }

  /** Asks for elements where the subscriber's demand or the emptied prefetch calls for it. */
  private void requestElements() {
    long demand = requested();
    long room = Math.min(AssignFlux.PREFETCH, demand) - outstanding;
    if (room > 0 && (room >= REPLENISH || outstanding + room == demand)) {
      outstanding += room;
      source.request(room);
    }
  }

  /**
   * Does what an end calls for, once each, whatever those throw who are called: ends the use of
   * source and values, tells the subscriber, and gets rid of what is held or comes later.
   */
  private void finish() {
    Throwable thrown = loopError;
    if (thrown != null) {
      if (finished) {
        drop(thrown);
      } else {
        terminate(mapped(thrown, unassigned));
      }
      loopError = null;
    }
    boolean tells = mustSignalEnd();
    if (tells && !sourceDone) {
      cancelSource();
    }
    valuesSubscriber.settle();
    if (tells) {
      signalEnd();
    }
    discard();
  }

  /** Gets rid of elements that are held, and of errors that came too late to be emitted. */
  private void discard() {
    Context context = currentContext();
    T element = unassigned;
    unassigned = null;
    for (element = element == null ? pollElement() : element;
        element != null;
        element = pollElement()) {
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
      return gathered.size() + elements.size();
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
