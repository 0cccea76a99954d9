package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/** Receives the values for an {@link AssignSubscriber}. Its drain loop takes them from here. */
final class AssignValuesSubscriber implements RunSubscriber, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<AssignValuesSubscriber, @Nullable Subscription>
      SUBSCRIPTION =
          AtomicReferenceFieldUpdater.newUpdater(
              AssignValuesSubscriber.class, Subscription.class, "subscription");

  private final AssignSubscriber<?, ?> parent;

  /** Filled by {@code onNext} and {@code onRun}, emptied by the drain loop. */
  private final Queue<Long> received = Queues.<Long>get(AssignFlux.PREFETCH).get();

  /**
   * Set once by {@code onSubscribe}, or to the cancelled subscription by the thread that cancels.
   */
  private volatile @Nullable Subscription subscription;

  /** The subscription if values can be given back to it, else null. Set by {@code onSubscribe}. */
  private volatile @Nullable RunSubscription runSubscription;

  /** Written by the thread that ends the values, before {@link #done}; taken by the drain loop. */
  private @Nullable Throwable error;

  /** Written once by the thread that ends the values, read by the drain loop. */
  private volatile boolean done;

  AssignValuesSubscriber(AssignSubscriber<?, ?> parent) {
    this.parent = parent;
  }

  /** True once values may be requested. Methods from here to settle are for the drain loop only. */
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

  /** True once no more values arrive. Callers read this before they read the values. */
  boolean isDone() {
    return done;
  }

  /** Removes the error and returns it. So it is reported once. */
  @Nullable Throwable takeError() {
    if (!done) {
      return null;
    }
    Throwable taken = error;
    error = null;
    return taken;
  }

  /** Gives back the received values that were not used, cancels, and ends the subscription. */
  void settle() {
    giveBack(runSubscription);
    cancel();
  }

  private void giveBack(@Nullable RunSubscription own) {
    int count = received.size();
    if (count == 0) {
      return;
    }
    long[] values = new long[count];
    boolean consecutive = true;
    for (int i = 0; i < count; i++) {
      values[i] = Objects.requireNonNull(received.poll());
      consecutive &= values[i] == values[0] + i;
    }
    if (own != null) {
      own.giveBack(
          consecutive ? SequenceBlock.of(values[0], count) : SequenceBlock.ofValues(values));
    }
  }

  /** May be called by any thread, any number of times. */
  void cancel() {
    Operators.terminate(SUBSCRIPTION, this);
  }

  @Override
  public Context currentContext() {
    return parent.currentContext();
  }

  @Override
  public void onSubscribe(Subscription s) {
    if (runSubscription == null && s instanceof RunSubscription own) {
      runSubscription = own;
    }
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
    if (received.isEmpty() && parent.emitAtOnce(value, 1) == 1) {
      return;
    }
    if (offer(value)) {
      parent.drain();
    }
  }

  @Override
  public long onRun(long first, long count) {
    long taken = received.isEmpty() ? parent.emitAtOnce(first, count) : 0;
    while (taken < count && !parent.hasEnded() && offer(first + taken)) {
      taken++;
      parent.drain(); // after each value, so that values after a cancel are given back
    }
    return taken;
  }

  private boolean offer(Long value) {
    if (!received.offer(value)) {
      cancel();
      onError(Exceptions.failWithOverflow("received values that were not requested"));
      return false;
    }
    return true;
  }

  @Override
  public void onError(Throwable failure) {
    if (done || parent.hasEnded()) {
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
