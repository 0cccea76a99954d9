package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcNonTransientException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Calls into a driver and into code of the application whose throws are errors like any other.
 * Reactor passes on what it calls fatal, such as a {@code StackOverflowError} near the end of a
 * caller's stack, to whoever subscribes; a connection would then be kept, and those behind it would
 * wait, for ever.
 */
final class Guarded {

  private Guarded() {}

  /**
   * What the supplier gives, asked at each subscription; an error if asking or subscribing throws.
   */
  static <T> Mono<T> mono(Supplier<? extends Mono<T>> supplier) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        Watched<T> watched = new Watched<>(actual);
        try {
          supplier.get().subscribe(watched);
        } catch (Throwable thrown) {
          watched.thrown(thrown);
        }
      }
    };
  }

  /** Operators throw an {@code Error} again that comes as a signal. */
  private static Throwable asSignal(Throwable thrown) {
    return thrown instanceof Error
        ? new R2dbcNonTransientException("a call ended with " + thrown, thrown) {
          private static final long serialVersionUID = 1L;
        }
        : thrown;
  }

  /** Knows whether the subscriber has heard of a subscription, and of an end. */
  private static final class Watched<T> implements CoreSubscriber<T> {

    private final CoreSubscriber<? super T> actual;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean subscribed;

    Watched(CoreSubscriber<? super T> actual) {
      this.actual = actual;
    }

    void thrown(Throwable failure) {
      if (!subscribed) {
        subscribed = true;
        actual.onSubscribe(Operators.emptySubscription());
      }
      onError(asSignal(failure));
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscribed = true;
      actual.onSubscribe(subscription);
    }

    @Override
    public void onNext(T value) {
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
      if (over.compareAndSet(false, true)) {
        actual.onError(failure);
      } else {
        Operators.onErrorDropped(failure, actual.currentContext());
      }
    }

    @Override
    public void onComplete() {
      if (over.compareAndSet(false, true)) {
        actual.onComplete();
      }
    }
  }
}
