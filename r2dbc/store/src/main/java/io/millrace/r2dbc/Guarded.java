package io.millrace.r2dbc;

import io.millrace.internal.FirstEnd;
import io.r2dbc.spi.R2dbcNonTransientException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Calls into a driver and into code of the application whose throws are errors like any other.
 * Reactor passes on what it calls fatal, such as a {@code StackOverflowError} near the end of a
 * caller's stack, to whoever subscribes; a connection would then be kept, and those behind it would
 * wait, for ever. So they would where a driver signals null, or an {@code Error}: operators throw
 * at its thread, and tell nobody.
 */
final class Guarded {

  private static final Logger LOGGER = Loggers.getLogger(Guarded.class);

  private Guarded() {}

  /**
   * The one value of what the supplier gives, or its end. The supplier is asked at each
   * subscription; if asking or subscribing throws, that is the end.
   */
  static <T> Mono<T> mono(Supplier<? extends Publisher<? extends T>> supplier) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        new Watched<T>(actual).subscribeTo(() -> one(supplier.get()));
      }
    };
  }

  /** The same for what gives many; also what is thrown behind its values comes as an error. */
  static <T> Flux<T> flux(Supplier<? extends Publisher<? extends T>> supplier) {
    return Flux.from(
        subscriber -> new Watched<T>(Operators.toCoreSubscriber(subscriber)).subscribeTo(supplier));
  }

  /** A Mono is left as it is: to end it after its value would be a cancel. */
  private static <T> Publisher<? extends T> one(Publisher<? extends T> publisher) {
    return publisher instanceof Mono<?> ? publisher : Guarded.<T>flux(() -> publisher).next();
  }

  /** A function for a driver to call, which does not expect an {@code Error}. */
  static <A, B> Function<A, B> function(Function<A, B> function) {
    return argument -> {
      try {
        return function.apply(argument);
      } catch (Error fatal) {
        throw ended(fatal);
      }
    };
  }

  /** What a call answers; false if it throws. */
  static boolean holds(BooleanSupplier call) {
    try {
      return call.getAsBoolean();
    } catch (Throwable thrown) {
      LOGGER.debug("A driver's call failed", thrown);
      return false;
    }
  }

  /** Operators throw an {@code Error} again that comes as a signal. */
  private static Throwable asSignal(@Nullable Throwable thrown) {
    if (thrown == null) {
      return new NullPointerException("a driver's publisher failed with null");
    }
    return thrown instanceof Error fatal ? ended(fatal) : thrown;
  }

  private static R2dbcNonTransientException ended(Error fatal) {
    return new R2dbcNonTransientException("a call ended with " + fatal, fatal) {
      private static final long serialVersionUID = 1L;
    };
  }

  /** Knows whether the subscriber has heard of a subscription, and of an end. */
  private static final class Watched<T> extends FirstEnd<T> {

    Watched(CoreSubscriber<? super T> actual) {
      super(actual);
    }

    void subscribeTo(Supplier<? extends Publisher<? extends T>> supplier) {
      try {
        Publisher<? extends T> publisher = supplier.get();
        if (publisher instanceof Mono<? extends T> mono) {
          mono.subscribe(this); // without the hooks for a last operator
        } else {
          publisher.subscribe(this);
        }
      } catch (Throwable thrown) {
        if (!isSubscribed()) {
          onSubscribe(Operators.emptySubscription());
        }
        onError(thrown);
      }
    }

    /** Ends a publisher that goes on behind its failure. */
    private void broken(Throwable failure) {
      end(failure, true);
    }

    private void end(@Nullable Throwable failure, boolean goesOn) {
      Throwable signal = asSignal(failure);
      if (!end()) {
        Operators.onErrorDropped(signal, actual.currentContext());
        return;
      }
      if (goesOn) {
        cancel();
      }
      actual.onError(signal);
    }

    @Override
    public void request(long n) {
      try {
        super.request(n);
      } catch (Throwable thrown) {
        broken(thrown);
      }
    }

    @Override
    protected void cancelThrew(Throwable thrown) {
      LOGGER.debug("A driver's request could not be cancelled", thrown);
    }

    @Override
    public void onNext(@Nullable T value) {
      if (isOver()) {
        return;
      }
      if (value == null) {
        broken(new NullPointerException("a driver's publisher gave null"));
        return;
      }
      try {
        actual.onNext(value);
      } catch (Throwable thrown) {
        broken(thrown);
      }
    }

    @Override
    public void onError(@Nullable Throwable failure) {
      end(failure, false);
    }
  }
}
