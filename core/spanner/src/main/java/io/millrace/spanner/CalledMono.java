package io.millrace.spanner;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A {@code Mono} that other code returns when it is called. Whatever that code throws, as it is
 * called or as its {@code Mono} is subscribed to, becomes the error: also an error of the JVM, such
 * as a {@code StackOverflowError}, which Reactor's operators pass to their caller. Who waits for
 * the end here gives a session back.
 */
final class CalledMono<T> extends Mono<T> {

  private final Supplier<? extends Mono<? extends T>> call;

  private CalledMono(Supplier<? extends Mono<? extends T>> call) {
    this.call = call;
  }

  static <T> Mono<T> of(Supplier<? extends Mono<? extends T>> call) {
    return onAssembly(new CalledMono<>(call));
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    Guard<T> guard = new Guard<>(actual);
    try {
      // Not as a CoreSubscriber: this way Reactor restores the subscriber's ThreadLocals.
      call.get().subscribe((Subscriber<T>) guard);
    } catch (Throwable thrown) {
      guard.thrown(thrown);
    }
  }

  /** Passes signals on until the first end; true once it has passed one. */
  private static final class Guard<T> extends AtomicBoolean
      implements CoreSubscriber<T>, Subscription {

    private static final long serialVersionUID = 1L;

    private final transient CoreSubscriber<? super T> actual;

    /** Written as the source is subscribed to. */
    private transient volatile @Nullable Subscription source;

    Guard(CoreSubscriber<? super T> actual) {
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
    public void request(long n) {
      Subscription subscribed = source;
      if (subscribed != null) {
        subscribed.request(n);
      }
    }

    @Override
    public void cancel() {
      Subscription subscribed = source;
      if (subscribed != null) {
        try {
          subscribed.cancel();
        } catch (Throwable thrown) {
          Signals.dropped(actual, thrown);
        }
      }
    }

    @Override
    public void onNext(T value) {
      if (get()) {
        Operators.onNextDropped(value, currentContext());
      } else {
        actual.onNext(value);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (compareAndSet(false, true)) {
        actual.onError(failure);
      } else {
        Operators.onErrorDropped(failure, currentContext());
      }
    }

    @Override
    public void onComplete() {
      if (compareAndSet(false, true)) {
        actual.onComplete();
      }
    }

    void thrown(Throwable failure) {
      if (!compareAndSet(false, true)) {
        Signals.dropped(actual, failure);
        return;
      }
      Subscription subscribed = source;
      if (subscribed == null) {
        actual.onSubscribe(Operators.emptySubscription());
      } else {
        cancel();
      }
      Signals.error(actual, failure);
    }
  }
}
