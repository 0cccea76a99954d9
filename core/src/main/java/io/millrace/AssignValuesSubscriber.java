package io.millrace;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/** Receives the values for an {@link AssignSubscriber}, which takes them in its drain loop. */
final class AssignValuesSubscriber implements RunSubscriber, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<AssignValuesSubscriber, @Nullable Subscription>
      SUBSCRIPTION =
          AtomicReferenceFieldUpdater.newUpdater(
              AssignValuesSubscriber.class, Subscription.class, "subscription");

  private final AssignSubscriber<?, ?> parent;

  /** Filled by {@code onNext}, emptied by the drain loop. */
  private final Queue<Long> received = Queues.<Long>get(AssignFlux.PREFETCH).get();

  /**
   * Whether values may be in {@link #received}. Used by {@code onNext} only, to ask the queue
   * seldom.
   */
  private boolean queueing;

  /** Set once by {@code onSubscribe}, or to the cancelled one by whoever cancels. */
  private volatile @Nullable Subscription subscription;

  /** Written by the thread that ends the values, before {@link #done}; taken by the drain loop. */
  private @Nullable Throwable error;

  /** Written once by the thread that ends the values, read by the drain loop. */
  private volatile boolean done;

  AssignValuesSubscriber(AssignSubscriber<?, ?> parent) {
    this.parent = parent;
  }

  /** True once values may be requested. Drain loop only, as are the methods down to clear. */
  boolean isSubscribed() {
    return subscription != null;
  }

  void request(long n) {
    Subscription current = subscription;
    if (current != null) {
      current.request(n);
    }
  }

  @Nullable Long poll() {
    return received.poll();
  }

  boolean isEmpty() {
    return received.isEmpty();
  }

  /** True once no further value will be received; read it before looking at the values. */
  boolean isDone() {
    return done;
  }

  /** Takes the error away, so that it is reported once. */
  @Nullable Throwable takeError() {
    if (!done) {
      return null;
    }
    Throwable taken = error;
    error = null;
    return taken;
  }

  void clear() {
    received.clear();
  }

  /** Any thread, any number of times. */
  void cancel() {
    Operators.terminate(SUBSCRIPTION, this);
  }

  @Override
  public Context currentContext() {
    return parent.currentContext();
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (Operators.setOnce(SUBSCRIPTION, this, s)) {
      parent.drain();
    }
  }

  @Override
  public void onNext(Long value) {
    if (done) {
      Operators.onNextDropped(value, currentContext());
      return;
    }
    if (!isQueueing() && parent.emitAtOnce(value, 1) == 1) {
      return;
    }
    if (offer(value)) {
      parent.drain();
    }
  }

  @Override
  public long onRun(long first, long count) {
    long taken = isQueueing() ? 0 : parent.emitAtOnce(first, count);
    while (taken < count && !parent.isFinished() && offer(first + taken)) {
      taken++;
      parent.drain(); // after each, so that what comes behind a cancel goes back
    }
    return taken;
  }

  private boolean isQueueing() {
    if (queueing) {
      queueing = !received.isEmpty();
    }
    return queueing;
  }

  private boolean offer(Long value) {
    queueing = true;
    if (!received.offer(value)) {
      cancel();
      onError(Exceptions.failWithOverflow("values came that were not requested"));
      return false;
    }
    return true;
  }

  @Override
  public void onError(Throwable failure) {
    if (done || parent.isFinished()) {
      Operators.onErrorDropped(failure, currentContext());
      return;
    }
    error = failure;
    done = true;
    parent.drain();
  }

  @Override
  public void onComplete() {
    if (!done) {
      done = true;
      parent.drain();
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return subscription;
    }
    if (key == Attr.ACTUAL) {
      return parent;
    }
    if (key == Attr.BUFFERED) {
      return received.size();
    }
    if (key == Attr.TERMINATED) {
      return done;
    }
    if (key == Attr.CANCELLED) {
      return subscription == Operators.cancelledSubscription();
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.SYNC;
    }
    return null;
  }
}
