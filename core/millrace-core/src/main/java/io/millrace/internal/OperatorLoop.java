package io.millrace.internal;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription to an operator that has a drain loop: the signals of its source, the demand of
 * its subscriber, and its end. The operator stores each signal in a field and calls {@link #drain}.
 * One thread at a time runs {@link #pass}. A signal from within the loop returns at once, and the
 * same thread then runs another pass. This keeps the stack flat.
 *
 * <p>The operator ends once, by {@link #terminate} or by the subscriber's {@code cancel}, which
 * sets {@link #finished}. After {@code terminate}, a pass signals the end to the subscriber, by
 * {@link #signalEnd}.
 */
public abstract class OperatorLoop<T, R> extends SerialDrain
    implements CoreSubscriber<T>, Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<OperatorLoop> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(OperatorLoop.class, "requested");

  /** The subscriber. */
  protected final CoreSubscriber<? super R> actual;

  /** Set once by the source's {@code onSubscribe}, before the subscriber receives this. */
  protected Subscription source = Operators.emptySubscription();

  /** Raised by the subscriber's {@code request}, lowered by the drain loop as it emits. */
  private volatile long requested;

  /** Written by the source's terminal signal, before {@link #sourceDone}; taken by the loop. */
  private @Nullable Throwable sourceError;

  /** Written once by the source's terminal signal, after its last element. */
  protected volatile boolean sourceDone;

  /** Written by the subscriber's {@code cancel}, or by the drain loop before it terminates. */
  protected volatile boolean finished;

  /** Written by the drain loop before {@link #finished}; false if the subscriber cancelled. */
  private volatile boolean terminated;

  /** The error to signal once terminated, null for completion; drain loop only. */
  private @Nullable Throwable failure;

  /** Whether the subscriber received the end; drain loop only. */
  private boolean endSignalled;

  /**
   * The thread in the loop. It is written by different threads and is not volatile, so a thread can
   * rely on one thing only: it finds itself here if, and only if, it is in the loop.
   */
  private @Nullable Thread drainer;

  /** Creates a subscription without a source. */
  protected OperatorLoop(CoreSubscriber<? super R> actual) {
    this.actual = actual;
  }

  /** Does all the work that is due. Throws nothing. */
  protected abstract void pass();

  /**
   * Tells whether the calling thread is in the loop.
   *
   * @return true within a call of {@link #pass}
   */
  protected final boolean isWithinDrain() {
    return drainer == Thread.currentThread();
  }

  @Override
  protected final void drainOnce() {
    drainer = Thread.currentThread();
    pass();
    drainer = null;
  }

  @Override
  public final Context currentContext() {
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

  /**
   * Ends the source with an error, because there is no room for an element.
   *
   * @param element the element, which is discarded
   */
  protected final void overflow(T element) {
    Context context = currentContext();
    Throwable error =
        Operators.onOperatorError(
            source,
            Exceptions.failWithOverflow("received elements that were not requested"),
            element,
            context);
    Operators.onDiscard(element, context);
    onError(error);
  }

  @Override
  public final void onError(Throwable error) {
    if (sourceDone || finished) {
      Operators.onErrorDropped(error, currentContext());
      return;
    }
    sourceError = error;
    sourceDone = true;
    drain();
  }

  @Override
  public final void onComplete() {
    if (!sourceDone) {
      sourceDone = true;
      drain();
    }
  }

  @Override
  public final void cancel() {
    if (!finished) {
      finished = true;
      cancelSource();
      cancelled();
    }
    drain();
  }

  /**
   * Cancels at once what the operator uses besides its source. Called on the thread of the
   * subscriber's {@code cancel}.
   */
  protected void cancelled() {}

  @Override
  public final void request(long n) {
    if (Operators.validate(n)) {
      Operators.addCap(REQUESTED, this, n);
      drain();
    }
  }

  /** Returns the subscriber's demand. */
  protected final long requested() {
    return requested;
  }

  /** Lowers the subscriber's demand; drain loop only. */
  protected final void produced(long count) {
    Operators.produced(REQUESTED, this, count);
  }

  /** {@return whether nothing more will be emitted} */
  public final boolean hasEnded() {
    return finished;
  }

  /**
   * Tells whether {@link #signalEnd} has to be called; drain loop only.
   *
   * @return true once it is terminated, until the subscriber receives the end
   */
  protected final boolean mustSignalEnd() {
    return terminated && !endSignalled;
  }

  /**
   * Ends the operator; drain loop only.
   *
   * @param error the error that the subscriber will receive, null for completion
   */
  protected final void terminate(@Nullable Throwable error) {
    failure = error;
    terminated = true;
    finished = true;
  }

  /** Signals the end to the subscriber; drain loop only. */
  protected final void signalEnd() {
    endSignalled = true;
    Throwable error = failure;
    failure = null;
    if (error == null) {
      actual.onComplete();
    } else {
      actual.onError(error);
    }
  }

  /**
   * Applies Reactor's hook for operator errors.
   *
   * @param element the element that was being processed, null for none
   * @return the error to signal to the subscriber
   */
  protected final Throwable mapped(Throwable thrown, @Nullable Object element) {
    return Operators.onOperatorError(null, thrown, element, currentContext());
  }

  /** Cancels the source. */
  protected final void cancelSource() {
    source.cancel();
  }

  /**
   * Takes the source's error away, so that it is reported once; drain loop only.
   *
   * @return null if the source has not failed, or its error was taken
   */
  protected final @Nullable Throwable takeSourceError() {
    if (!sourceDone) {
      return null;
    }
    Throwable taken = sourceError;
    sourceError = null;
    return taken;
  }

  /**
   * Reports an error that no subscriber can receive any more.
   *
   * @param late the error, or null if there is none
   */
  public final void drop(@Nullable Throwable late) {
    if (late != null) {
      Operators.onErrorDropped(late, currentContext());
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return source;
    }
    if (key == Attr.ACTUAL) {
      return actual;
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
    return null;
  }
}
