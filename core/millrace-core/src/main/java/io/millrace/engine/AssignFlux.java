package io.millrace.engine;

import io.millrace.Sequence.Assigner;
import io.millrace.internal.SerialDrain;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Assigns one value to each element that the source emits, in the order of arrival. An element that
 * never arrives uses no value.
 *
 * <p><b>Values</b> are claimed for all elements that have arrived without one. If none is buffered,
 * the subscription waits in the generator's queue for as many. Elements that arrive meanwhile are
 * part of the next claim.
 *
 * <p><b>Demand.</b> At most {@value #PREFETCH} elements are requested from the source and not yet
 * emitted, and never more than the subscriber has requested.
 *
 * <p><b>Termination.</b> Completion and error of the source follow the elements before them. An
 * error of the generator or of the assigner ends the stream at once, and the elements without a
 * value are discarded. Values that are claimed and not assigned are given back.
 */
final class AssignFlux<T, R> extends FluxOperator<T, R> {

  private static final int PREFETCH = 256;

  /** The smallest request to the source, unless the subscriber's demand is smaller. */
  private static final int MIN_REQUEST = PREFETCH - PREFETCH / 4;

  private final GeneratorSource sequence;
  private final Assigner<? super T, ? extends R> assigner;

  private AssignFlux(
      Flux<? extends T> source,
      GeneratorSource sequence,
      Assigner<? super T, ? extends R> assigner) {
    super(source);
    this.sequence = sequence;
    this.assigner = assigner;
  }

  /** Returns an operator for {@code Flux.transform}, with Reactor's assembly hooks applied. */
  static <T, R> Function<Flux<T>, Flux<R>> operator(
      GeneratorSource sequence, Assigner<? super T, ? extends R> assigner) {
    Objects.requireNonNull(assigner, "assigner");
    return source -> onAssembly(new AssignFlux<T, R>(source, sequence, assigner));
  }

  @Override
  public void subscribe(CoreSubscriber<? super R> actual) {
    source.subscribe(new Assigning(actual));
  }

  /**
   * One subscription. The drain loop does all work; the source, the subscriber and the generator
   * record their signal and call it.
   *
   * <p><b>Invariant.</b> {@code assigned + elements.size() <= asked <= min(requested, assigned +
   * PREFETCH)}. So an element with a value can be emitted.
   */
  private final class Assigning extends SerialDrain
      implements CoreSubscriber<T>, Subscription, Scannable {

    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    private static final AtomicLongFieldUpdater<AssignFlux.Assigning> REQUESTED =
        AtomicLongFieldUpdater.newUpdater(AssignFlux.Assigning.class, "requested");

    private final CoreSubscriber<? super R> actual;

    /** The elements that have arrived and have no value. */
    private final Queue<T> elements = Queues.<T>unbounded(PREFETCH).get();

    private Subscription source = Operators.emptySubscription();

    /** The sum of all requests of the subscriber; saturates. */
    private volatile long requested;

    /** Made for the first element, so that the generator is not used before. */
    private volatile @Nullable Values values;

    private volatile boolean cancelled;

    /** Written before {@link #sourceDone}. */
    private @Nullable Throwable sourceError;

    private volatile boolean sourceDone;

    /** Why the elements that are left get no values. Written once; taken by the loop. */
    private volatile @Nullable Throwable failure;

    // Used by the drain loop only.

    /** The sum of all requests to the source. */
    private long asked;

    /** How many elements have been assigned a value. */
    private long assigned;

    private boolean over;

    Assigning(CoreSubscriber<? super R> actual) {
      this.actual = actual;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      source = subscription;
      actual.onSubscribe(this);
    }

    @Override
    public void onNext(T element) {
      elements.add(element);
      drain();
    }

    @Override
    public void onError(Throwable error) {
      sourceError = error;
      onComplete();
    }

    @Override
    public void onComplete() {
      sourceDone = true;
      drain();
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
      cancelled = true;
      source.cancel();
      leaveQueue(); // at once: the loop may be blocked
      drain();
    }

    @Override
    protected void drainOnce() {
      boolean ended = sourceDone; // before its last elements are assigned
      assign();
      if (isStopped() || (ended && elements.isEmpty())) {
        end();
      } else {
        askSource();
      }
    }

    private boolean isStopped() {
      return over || cancelled || failure != null;
    }

    private void assign() {
      while (!isStopped() && !elements.isEmpty()) {
        Values current = values;
        if (current == null) {
          useGenerator();
        } else if (!current.emit()) {
          return;
        }
      }
    }

    private void useGenerator() {
      try {
        values = new Values(sequence.current(), actual);
      } catch (Throwable refused) {
        failure = Operators.onOperatorError(refused, currentContext());
      }
    }

    private void askSource() {
      long demand = requested;
      long sum = Math.min(demand, assigned + PREFETCH);
      long count = sum - asked;
      if (count >= MIN_REQUEST || (count > 0 && sum == demand)) {
        asked = sum;
        source.request(count);
      }
    }

    /** Ends the stream, unless it has ended, and discards what is left, also what comes later. */
    private void end() {
      boolean signals = !over && !cancelled;
      over = true;
      if (!sourceDone) {
        source.cancel();
      }
      leaveQueue();
      Throwable error = takeError();
      if (signals && error == null) {
        actual.onComplete();
      } else if (signals && error != null) {
        actual.onError(error);
        error = takeError();
      }
      if (error != null) {
        Operators.onErrorDropped(error, currentContext());
      }
      Operators.onDiscardQueueWithClear(elements, currentContext(), null);
    }

    private void leaveQueue() {
      Values current = values;
      if (current != null) {
        current.cancel();
      }
    }

    private @Nullable Throwable takeError() {
      Throwable taken = failure;
      if (taken != null) {
        failure = null;
      } else if (sourceDone) {
        taken = sourceError;
        sourceError = null;
      }
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
      if (key == Attr.BUFFERED) {
        return elements.size();
      }
      if (key == Attr.CANCELLED) {
        return cancelled;
      }
      if (key == Attr.TERMINATED) {
        return over && !cancelled;
      }
      return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }

    /** Claims values for the elements that have none, and waits for them in the queue. */
    private final class Values extends Waiter<R> implements Claim.ValueSink {

      /** The values of the latest claim, or to wait for. Written while the phase is RUNNING. */
      private long wanted;

      Values(BufferedSequenceGenerator generator, CoreSubscriber<? super R> actual) {
        super(generator, actual, RUNNING);
      }

      /**
       * Emits elements with the values that were granted or can be claimed; false if it has to wait
       * or has ended. Called by the drain loop.
       */
      boolean emit() {
        if (phase() != RUNNING && !moveTo(GRANTED, RUNNING)) {
          return false;
        }
        if (!isHolding()) {
          wanted = elements.size();
          if (!claimOrWait(wanted)) {
            return false;
          }
        }
        try {
          assigned += issueTo(this);
        } finally {
          giveBackAll(); // what is left if the stream was stopped
        }
        return true;
      }

      @Override
      public boolean isOpen() {
        return !isStopped();
      }

      @Override
      public void accept(long value) {
        T element = Objects.requireNonNull(elements.poll());
        R result;
        try {
          result =
              Objects.requireNonNull(assigner.apply(element, value), "the assigner returned null");
        } catch (Throwable thrown) {
          failure = Operators.onOperatorError(null, thrown, element, currentContext());
          Operators.onDiscard(element, currentContext());
          return;
        }
        actual.onNext(result);
      }

      @Override
      void deliver() {
        drain();
      }

      @Override
      void signalError(Throwable error) {
        failure = error;
        drain();
      }

      @Override
      long unmet() {
        return wanted;
      }
    }
  }
}
