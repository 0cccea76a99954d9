package io.millrace;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Passes everything on, and ends the lease with the subscription: before the subscriber is told of
 * the end, or given the one value there is, since it may use another generator in that call; and
 * after the generator is told of a cancel.
 */
class LeasedSubscriber<T> implements CoreSubscriber<T>, Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<LeasedSubscriber> RELEASED =
      AtomicIntegerFieldUpdater.newUpdater(LeasedSubscriber.class, "released");

  private final CoreSubscriber<? super T> actual;
  private final LiveGenerator lease;
  private final boolean single;

  /**
   * Before the source's subscription comes, what the subscriber was given in place of this one, or
   * an empty one. Set once, before the subscriber can know of this.
   */
  Subscription source;

  /** 1 once the lease has ended. A cancel may race with an end. */
  private volatile int released;

  LeasedSubscriber(
      CoreSubscriber<? super T> actual,
      LiveGenerator lease,
      boolean single,
      @Nullable Seek<?> sought) {
    this.actual = actual;
    this.lease = lease;
    this.single = single;
    this.source = sought == null ? Operators.emptySubscription() : sought;
  }

  /**
   * Ends a lease whose subscription failed to begin, since something threw that should not.
   *
   * @param leased null if there was not even that
   */
  static void abandon(@Nullable LeasedSubscriber<?> leased, LiveGenerator lease) {
    if (leased == null) {
      lease.release();
    } else {
      try {
        leased.cancel();
      } finally {
        leased.release();
      }
    }
  }

  /** Ends the lease, once. At the end of a stack it throws, and can be called again. */
  final void release() {
    if (released == 0 && RELEASED.compareAndSet(this, 0, 1)) {
      try {
        lease.release();
      } catch (StackOverflowError overflow) {
        released = 0;
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
    if (before instanceof Seek<?> sought) {
      sought.use(this);
    } else {
      actual.onSubscribe(this);
    }
  }

  @Override
  public void onNext(T value) {
    if (single) {
      release();
    }
    try {
      actual.onNext(value);
    } catch (Throwable thrown) { // it has broken the rules, and is told nothing more
      cancel();
      throw thrown;
    }
  }

  @Override
  public void onError(Throwable failure) {
    release();
    actual.onError(failure);
  }

  @Override
  public void onComplete() {
    release();
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
      release();
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
