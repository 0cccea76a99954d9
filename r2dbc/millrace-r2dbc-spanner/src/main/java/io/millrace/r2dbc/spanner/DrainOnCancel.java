package io.millrace.r2dbc.spanner;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** After a cancel, reads the rest of the source and drops it. */
final class DrainOnCancel<T> implements CoreSubscriber<T>, Subscription {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<DrainOnCancel> CANCELLED =
      AtomicIntegerFieldUpdater.newUpdater(DrainOnCancel.class, "cancelled");

  private final CoreSubscriber<? super T> actual;

  /** Set before the actual subscriber can request. */
  private Subscription source = Operators.emptySubscription();

  /** 1 once the actual subscriber has cancelled. */
  private volatile int cancelled;

  private DrainOnCancel(CoreSubscriber<? super T> actual) {
    this.actual = actual;
  }

  static <T> Flux<T> of(Flux<T> source) {
    return source.transform(
        Operators.<T, T>lift((scannable, actual) -> new DrainOnCancel<>(actual)));
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    if (source != Operators.emptySubscription()) {
      subscription.cancel();
      return;
    }
    source = subscription;
    actual.onSubscribe(this);
  }

  @Override
  public void onNext(T element) {
    if (cancelled == 0) {
      actual.onNext(element);
    } else {
      Operators.onDiscard(element, currentContext());
    }
  }

  @Override
  public void onError(Throwable error) {
    if (cancelled == 0) {
      actual.onError(error);
    } else {
      Operators.onErrorDropped(error, currentContext());
    }
  }

  @Override
  public void onComplete() {
    if (cancelled == 0) {
      actual.onComplete();
    }
  }

  @Override
  public void request(long count) {
    source.request(count);
  }

  @Override
  public void cancel() {
    if (CANCELLED.compareAndSet(this, 0, 1)) {
      source.request(Long.MAX_VALUE);
    }
  }
}
