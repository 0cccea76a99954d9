package io.millrace;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Takes a buffered value of a generator by name without a lease, or takes a lease and waits. */
final class NamedNextSubscription extends NextSubscription {

  private final GeneratorHandle handle;
  private final LiveGenerator current;

  NamedNextSubscription(
      GeneratorHandle handle,
      LiveGenerator current,
      BufferedSequenceGenerator generator,
      CoreSubscriber<? super Long> actual) {
    super(generator, actual);
    this.handle = handle;
    this.current = current;
  }

  @Override
  void noteUse() {
    current.used();
  }

  @Override
  Subscription newWaiter() {
    return new Leased(handle.copy(), actual);
  }

  /** Leases the generator that the handle has at the first request, and subscribes to it. */
  static final class Leased extends Operators.DeferredSubscription
      implements CoreSubscriber<Long>, Scannable {

    private final GeneratorHandle handle;
    private final CoreSubscriber<? super Long> actual;

    Leased(GeneratorHandle handle, CoreSubscriber<? super Long> actual) {
      this.handle = handle;
      this.actual = actual;
    }

    /** Called once, by the subscription that this one replaces. */
    @Override
    public void request(long n) {
      super.request(n);
      LeasedMono.next(handle).subscribe(this);
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription leased) {
      set(leased);
    }

    @Override
    public void onNext(Long value) {
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
      actual.onError(failure);
    }

    @Override
    public void onComplete() {
      actual.onComplete();
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      return key == Attr.ACTUAL ? actual : super.scanUnsafe(key);
    }
  }
}
