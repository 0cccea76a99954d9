package io.millrace;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Passes all signals on, and ends the lease with the subscription. The lease ends before the
 * subscriber receives the terminal signal, or the only value, because it may use another generator
 * within that call. After a cancel the lease ends once the generator has been cancelled.
 */
class LeasedSubscriber<T> implements CoreSubscriber<T>, Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<LeasedSubscriber> LEASE_ENDED =
      AtomicIntegerFieldUpdater.newUpdater(LeasedSubscriber.class, "leaseEnded");

  private final CoreSubscriber<? super T> actual;
  private final LiveGenerator lease;
  private final boolean single;

  /**
   * The source's subscription. Before that comes: the {@link Seek} that the subscriber received as
   * its subscription, or an empty subscription. Set once, before the subscriber can use this.
   */
  Subscription source;

  /** 1 once the lease has ended. A cancel may race with a terminal signal. */
  private volatile int leaseEnded;

  LeasedSubscriber(
      CoreSubscriber<? super T> actual,
      LiveGenerator lease,
      boolean single,
      @Nullable Seek<?> seek) {
    this.actual = actual;
    this.lease = lease;
    this.single = single;
    this.source = seek == null ? Operators.emptySubscription() : seek;
  }

  /**
   * Ends a lease after subscribing to the generator has thrown.
   *
   * @param leased null if its constructor threw
   */
  static void abandon(@Nullable LeasedSubscriber<?> leased, LiveGenerator lease) {
    if (leased == null) {
      lease.endLease();
    } else {
      try {
        leased.cancel();
      } finally {
        leased.endLease();
      }
    }
  }

  /** Ends the lease, once. If the stack overflows, it throws and can be called again. */
  final void endLease() {
    if (leaseEnded == 0 && LEASE_ENDED.compareAndSet(this, 0, 1)) {
      try {
        lease.endLease();
      } catch (StackOverflowError overflow) {
        leaseEnded = 0;
        throw overflow;
      }
    }
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    Subscription before = source;
    source = subscription;
    if (before instanceof Seek<?> seek) {
      seek.use(this);
    } else {
      actual.onSubscribe(this);
    }
  }

  @Override
  public void onNext(T value) {
    if (single) {
      endLease();
    }
    try {
      actual.onNext(value);
    } catch (Throwable thrown) { // onNext must not throw: the subscriber gets no more signals
      cancel();
      throw thrown;
    }
  }

  @Override
  public void onError(Throwable failure) {
    endLease();
    actual.onError(failure);
  }

  @Override
  public void onComplete() {
    endLease();
    actual.onComplete();
  }

  @Override
  public void request(long n) {
    source.request(n);
  }

  @Override
  public void cancel() {
    try {
      source.cancel();
    } finally {
      endLease();
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.PARENT) {
      return source;
    }
    if (key == Attr.RUN_STYLE) {
      return Attr.RunStyle.SYNC;
    }
    return null;
  }
}
