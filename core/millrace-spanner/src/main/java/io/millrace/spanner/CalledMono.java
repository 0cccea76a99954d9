package io.millrace.spanner;

import io.millrace.internal.FirstEnd;
import java.util.function.Supplier;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Calls other code at each subscription, and subscribes to the {@code Mono} that it returns.
 * Whatever the call or the subscription throws becomes the error. That includes errors of the JVM,
 * such as a {@code StackOverflowError}, which Reactor's operators would throw to their caller. The
 * subscriber must receive an end, because it then gives a session back.
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
      // Not as a CoreSubscriber: for a Subscriber, Reactor restores the ThreadLocals.
      call.get().subscribe((Subscriber<T>) guard);
    } catch (Throwable thrown) {
      guard.thrown(thrown);
    }
  }

  /** Passes signals on until the first terminal signal. */
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
