package io.millrace.r2dbc.spanner;

import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** After a cancel, reads the rest of the source and drops it. */
final class DrainOnCancel<T> implements CoreSubscriber<T>, Subscription {

  private final CoreSubscriber<? super T> actual;

  /** Set before the actual subscriber can request. */
  private Subscription source = Operators.emptySubscription();

  private final AtomicBoolean cancelled = new AtomicBoolean();

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
    source = subscription;
    actual.onSubscribe(this);
  }

  @Override
  public void onNext(T element) {
    if (!cancelled.get()) {
      actual.onNext(element);
    } else {
      Operators.onDiscard(element, currentContext());
    }
  }

  @Override
  public void onError(Throwable error) {
    if (!cancelled.get()) {
      actual.onError(error);
    } else {
      Operators.onErrorDropped(error, currentContext());
    }
  }

  @Override
  public void onComplete() {
    if (!cancelled.get()) {
      actual.onComplete();
    }
  }

  @Override
  public void request(long count) {
    source.request(count);
  }

  @Override
  public void cancel() {
    if (cancelled.compareAndSet(false, true)) {
      source.request(Long.MAX_VALUE);
    }
  }
}
