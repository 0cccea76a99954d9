package io.millrace.spanner;

import io.millrace.internal.FirstEnd;
import java.util.function.Supplier;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * A {@code Mono} that other code returns when it is called. Whatever that code throws, when it is
 * called or when its {@code Mono} is subscribed to, becomes the error. That includes errors of the
 * JVM, such as a {@code StackOverflowError}, which Reactor's operators throw to their caller. The
 * end of this {@code Mono} returns a session, so it must always come.
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

  /** Passes signals on until the first end. */
  private static final class Guard<T> extends FirstEnd<T> {

    Guard(CoreSubscriber<? super T> actual) {
      super(actual);
    }

    @Override
    protected void cancelThrew(Throwable thrown) {
      Signals.dropped(actual, thrown);
    }

    @Override
    public void onNext(T value) {
      if (hasEnded()) {
        Operators.onNextDropped(value, currentContext());
      } else {
        actual.onNext(value);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (tryEnd()) {
        actual.onError(failure);
      } else {
        Operators.onErrorDropped(failure, currentContext());
      }
    }

    void thrown(Throwable failure) {
      if (!tryEnd()) {
        Signals.dropped(actual, failure);
        return;
      }
      if (isSubscribed()) {
        cancel();
      } else {
        actual.onSubscribe(Operators.emptySubscription());
      }
      Signals.error(actual, failure);
    }
  }
}
