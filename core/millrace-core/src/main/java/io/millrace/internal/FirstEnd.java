package io.millrace.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Stands between a source and its subscriber, and passes only the first subscription and the first
 * end on. The source may throw, or bring more than one of each. This is also the subscription that
 * the subscriber receives: so no later operator can take values directly from the source by fusion.
 *
 * @param <T> what the source emits
 */
public abstract class FirstEnd<T> implements CoreSubscriber<T>, Subscription {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<FirstEnd> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(FirstEnd.class, "ended");

  /** The subscriber. */
  protected final CoreSubscriber<? super T> actual;

  /** Written by {@link #onSubscribe}. */
  private volatile @Nullable Subscription source;

  /** 1 after the first end, else 0. Set by the thread that brings the first end. */
  private volatile int ended;

  /**
   * Creates an instance without a source.
   *
   * @param actual the subscriber
   */
  protected FirstEnd(CoreSubscriber<? super T> actual) {
    this.actual = actual;
  }

  @Override
  public final Context currentContext() {
    return actual.currentContext();
  }

  /** Keeps the first subscription, and cancels each other. */
  @Override
  public final void onSubscribe(Subscription subscription) {
    if (Operators.validate(source, subscription)) {
      source = subscription;
      actual.onSubscribe(this);
    } else if (!hasEnded() && Operators.canAppearAfterOnSubscribe(subscription)) {
      cancel(); // Reactor's sign that the source threw, and so does not end itself
    }
  }

  @Override
  public void request(long n) {
    Subscription subscribed = source;
    if (subscribed != null) {
      subscribed.request(n);
    }
  }

  @Override
  public final void cancel() {
    Subscription subscribed = source;
    if (subscribed != null) {
      try {
        subscribed.cancel();
      } catch (Throwable thrown) {
        cancelThrew(thrown);
      }
    }
  }

  /**
   * Reports what the source threw when it was cancelled. Throws nothing.
   *
   * @param thrown what it threw
   */
  protected abstract void cancelThrew(Throwable thrown);

  @Override
  public final void onComplete() {
    if (tryEnd()) {
      actual.onComplete();
    }
  }

  /**
   * Claims the right to signal the end to the subscriber.
   *
   * @return true for the first caller
   */
  protected final boolean tryEnd() {
    return ENDED.compareAndSet(this, 0, 1);
  }

  /**
   * Tells whether the first end has come.
   *
   * @return true from the first {@link #tryEnd} on
   */
  protected final boolean hasEnded() {
    return ended != 0;
  }

  /**
   * Tells whether the subscriber has its subscription.
   *
   * @return true once the source has called {@code onSubscribe}
   */
  protected final boolean isSubscribed() {
    return source != null;
  }
}
