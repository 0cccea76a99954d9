package io.millrace;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One subscription to an {@link AssignFlux}: pairs the elements of the source with the values.
 *
 * <p>Every signal, from the source, the values or the subscriber, leaves its trace in a field and
 * calls {@link #drain}. Whoever raises {@link #wip} from 0 runs the loop, and runs it again for
 * those who came meanwhile; so one thread at a time emits and requests, and a source or values that
 * answer within {@code request} find the loop running and return at once. That is what keeps the
 * stack flat, and what gathers the elements that arrive within one request into one run of values.
 *
 * <p>Invariant: {@code outstanding <= min(PREFETCH, requested)}, so an element that has its value
 * can be emitted.
 */
final class AssignSubscriber<T, R> implements CoreSubscriber<T>, Subscription, Scannable {

  /** Ask the source for more once so many of the prefetched elements are emitted. */
  private static final int REPLENISH = AssignFlux.PREFETCH - AssignFlux.PREFETCH / 4;

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<AssignSubscriber> WIP =
      AtomicIntegerFieldUpdater.newUpdater(AssignSubscriber.class, "wip");

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<AssignSubscriber> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(AssignSubscriber.class, "requested");

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<AssignSubscriber> QUEUED =
      AtomicLongFieldUpdater.newUpdater(AssignSubscriber.class, "queued");

  private final CoreSubscriber<? super R> actual;
  private final Flux<Long> values;
  private final ObjLongFunction<? super T, ? extends R> assigner;
  private final AssignValuesSubscriber valuesSubscriber = new AssignValuesSubscriber(this);

  /**
   * The elements that came from within the drain loop; each is older than those in {@link
   * #elements}. Drain loop only.
   */
  private final Gathered<T> gathered = new Gathered<>(AssignFlux.PREFETCH);

  /** The other elements. Filled by the source's {@code onNext}, emptied by the drain loop. */
  private final Queue<T> elements = Queues.<T>get(AssignFlux.PREFETCH).get();

  /** Set once by the source's {@code onSubscribe}, before the subscriber can know of this. */
  private Subscription source = Operators.emptySubscription();

  /** Raised by every signal, lowered by the drain loop; above 0, a thread is in the loop. */
  @SuppressWarnings("UnusedVariable") // through WIP
  private volatile int wip;

  /** Raised by the subscriber's {@code request}, lowered by the drain loop as it emits. */
  private volatile long requested;

  /**
   * The thread in the drain loop, while it is known to be there. Others write it too, so that it is
   * read for one thing only: a thread finds itself here if, and only if, it is in the loop.
   */
  private @Nullable Thread drainer;

  /** Whether a signal came from within the loop since it last looked; drain loop only. */
  private boolean signalledWithin;

  /** How many elements went to {@link #elements}; written by the source's {@code onNext} alone. */
  private volatile long queued;

  /**
   * Whether any may be in {@link #elements}. Used by {@code onNext} only, to ask the queue seldom.
   */
  private boolean queueing;

  /** Written by the source's terminal signal, before {@link #sourceDone}; taken by the loop. */
  private @Nullable Throwable sourceError;

  /** Written once by the source's terminal signal, after its last element. */
  private volatile boolean sourceDone;

  /** Written by the subscriber's {@code cancel}, or by the drain loop before it terminates. */
  private volatile boolean finished;

  /** Written by the drain loop before {@link #finished}; tells an end from a cancellation. */
  private volatile boolean terminated;

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
    this.actual = actual;
    this.values = values;
    this.assigner = assigner;
  }

  /** True once nothing more will be emitted. */
  boolean isFinished() {
    return finished;
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (source != Operators.emptySubscription()) {
      s.cancel();
      Operators.reportSubscriptionSet();
      return;
    }
    source = s;
    actual.onSubscribe(this);
  }

  @Override
  public void onNext(T element) {
    if (sourceDone) {
      Operators.onNextDropped(element, currentContext());
      return;
    }
    if (isWithinDrain() && !isQueueing() && gathered.offer(element)) {
      signalledWithin = true;
      return;
    }
    queueing = true;
    if (!elements.offer(element)) {
      Context context = currentContext();
      Throwable overflow =
          Operators.onOperatorError(
              source,
              Exceptions.failWithOverflow("elements came that were not requested"),
              element,
              context);
      Operators.onDiscard(element, context);
      onError(overflow);
      return;
    }
    QUEUED.lazySet(this, queued + 1);
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
  public void onError(Throwable failure) {
    if (sourceDone || finished) {
      Operators.onErrorDropped(failure, currentContext());
      return;
    }
    sourceError = failure;
    sourceDone = true;
    drain();
  }

  @Override
  public void onComplete() {
    if (!sourceDone) {
      sourceDone = true;
      drain();
    }
  }

  @Override
  public void request(long n) {
    if (Operators.validate(n)) {
      Operators.addCap(REQUESTED, this, n);
      drain();
    }
  }

  @Override
  public void cancel() {
    if (finished) {
      return;
    }
    finished = true;
    source.cancel();
    valuesSubscriber.cancel();
    drain();
  }

  private boolean isWithinDrain() {
    return drainer == Thread.currentThread();
  }

  void drain() {
    if (isWithinDrain()) {
      signalledWithin = true;
      return;
    }
    if (WIP.getAndIncrement(this) != 0) {
      return;
    }
    int missed = 1;
    do {
      drainer = Thread.currentThread();
      do {
        signalledWithin = false;
        pass();
      } while (signalledWithin);
      drainer = null;
      missed = WIP.addAndGet(this, -missed);
    } while (missed != 0);
  }

  private void pass() {
    if (emit()) {
      requestValues();
      if (!finished) {
        requestElements();
      }
    } else {
      discard();
    }
  }

  /** Emits what has a value, then a terminal signal if it is time; false if all is over. */
  private boolean emit() {
    boolean noMoreElements = sourceDone;
    boolean noMoreValues = valuesSubscriber.isDone();
    long demand = requested;
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
      Operators.produced(REQUESTED, this, emitted);
    }
    if (finished) {
      return false;
    }
    if (noMoreElements && !hasElements()) {
      terminate(takeSourceError());
      return false;
    }
    if (noMoreValues && valuesSubscriber.isEmpty()) {
      Throwable failure = valuesSubscriber.takeError();
      if (failure == null && hasElements()) {
        failure = new IllegalStateException("the values completed before the elements");
      }
      if (failure != null) {
        terminate(failure);
        return false;
      }
    }
    return true;
  }

  /** Emits an element with its value; false if that ends the sequence. */
  private boolean emitPair(T element, long value) {
    R assigned;
    try {
      assigned =
          Objects.requireNonNull(assigner.apply(element, value), "the assigner returned null");
    } catch (Throwable thrown) {
      Context context = currentContext();
      Throwable failure = Operators.onOperatorError(source, thrown, element, context);
      Operators.onDiscard(element, context);
      terminate(failure);
      return false;
    }
    actual.onNext(assigned);
    return true;
  }

  private void terminate(@Nullable Throwable failure) {
    terminated = true;
    finished = true;
    if (!sourceDone) {
      source.cancel();
    }
    valuesSubscriber.cancel();
    if (failure == null) {
      actual.onComplete();
    } else {
      actual.onError(failure);
    }
  }

  /** Asks for one value for each element that has arrived since the last time. */
  private void requestValues() {
    long count = gathered.added() + queued;
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
        Operators.produced(REQUESTED, this, emittedAtOnce);
      }
    }
  }

  /**
   * Emits the oldest elements with consecutive values that come while values are asked for, from
   * within the drain loop. A value that comes while the subscriber has the one before has to wait.
   *
   * @return how many values are used up
   */
  long emitAtOnce(long first, long count) {
    if (!isWithinDrain() || !emitsAtOnce) {
      return 0;
    }
    emitsAtOnce = false;
    long value = first;
    long end = first + Math.min(count, requested - emittedAtOnce);
    while (value != end && !finished) {
      T element = pollElement();
      if (element == null || !emitPair(element, value++)) {
        break;
      }
    }
    long used = value - first;
    emittedAtOnce += used;
    signalledWithin |= used != 0;
    emitsAtOnce = !finished;
    return used;
  }

  /** Asks for elements where the subscriber's demand or the emptied prefetch calls for it. */
  private void requestElements() {
    long demand = requested;
    long room = Math.min(AssignFlux.PREFETCH, demand) - outstanding;
    if (room > 0 && (room >= REPLENISH || outstanding + room == demand)) {
      outstanding += room;
      source.request(room);
    }
  }

  /** Gets rid of what is held, and of errors that came too late to be emitted. */
  private void discard() {
    Context context = currentContext();
    for (T element = gathered.poll(); element != null; element = gathered.poll()) {
      Operators.onDiscard(element, context);
    }
    Operators.onDiscardQueueWithClear(elements, context, null);
    valuesSubscriber.clear();
    Throwable late = takeSourceError();
    if (late != null) {
      Operators.onErrorDropped(late, context);
    }
    late = valuesSubscriber.takeError();
    if (late != null) {
      Operators.onErrorDropped(late, context);
    }
  }

  private @Nullable Throwable takeSourceError() {
    if (!sourceDone) {
      return null;
    }
    Throwable taken = sourceError;
    sourceError = null;
    return taken;
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return source;
    }
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.PREFETCH) {
      return AssignFlux.PREFETCH;
    }
    if (key == Attr.BUFFERED) {
      return gathered.size() + elements.size();
    }
    if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
      return requested;
    }
    if (key == Attr.ERROR) {
      return sourceDone ? sourceError : null;
    }
    if (key == Attr.TERMINATED) {
      return terminated;
    }
    if (key == Attr.CANCELLED) {
      return finished && !terminated;
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.SYNC;
    }
    return null;
  }

  @Override
  public Stream<? extends Scannable> inners() {
    return Stream.of(valuesSubscriber);
  }
}
