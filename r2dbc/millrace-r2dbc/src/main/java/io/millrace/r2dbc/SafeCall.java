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
 * Calls a driver or code of the application, and turns everything that it throws into an error
 * signal.
 *
 * <p>Reactor throws what it calls fatal, such as a {@code StackOverflowError} on a deep stack, to
 * the caller of {@code subscribe}. The connection would then never be returned, and the requests
 * behind it would wait forever. The same would happen if a driver signals null or an {@code Error},
 * or if an operator behind a call meets one: operators throw on the driver's thread, and the
 * subscriber receives no signal.
 */
final class SafeCall {

  private static final Logger LOGGER = Loggers.getLogger(SafeCall.class);

  private SafeCall() {}

  /**
   * Emits the first value of the publisher, or its error or completion. The supplier is called at
   * each subscription. If the supplier or {@code subscribe} throws, that is the error.
   */
  static <T> Mono<T> mono(Supplier<? extends Publisher<? extends T>> supplier) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        new SafeSubscriber<T>(actual).subscribeTo(() -> one(supplier.get()));
      }
    };
  }

  /** The same for many values. What is thrown after a value is an error, too. */
  static <T> Flux<T> flux(Supplier<? extends Publisher<? extends T>> supplier) {
    return Flux.from(
        subscriber ->
            new SafeSubscriber<T>(Operators.toCoreSubscriber(subscriber)).subscribeTo(supplier));
  }

  /** Leaves a Mono as it is: {@code next()} would cancel it after its value. */
  private static <T> Publisher<? extends T> one(Publisher<? extends T> publisher) {
    return publisher instanceof Mono<?> ? publisher : SafeCall.<T>flux(() -> publisher).next();
  }

  /** A function that a driver calls. Drivers do not expect an {@code Error} from it. */
  static <A, B> Function<A, B> function(Function<A, B> function) {
    return argument -> {
      try {
        return function.apply(argument);
      } catch (Error fatal) {
        throw fatalFailure(fatal);
      }
    };
  }

  /** The result of a call; false if it throws. */
  static boolean isTrue(BooleanSupplier call) {
    try {
      return call.getAsBoolean();
    } catch (Throwable thrown) {
      LOGGER.debug("A driver's call failed", thrown);
      return false;
    }
  }

  /** Wraps an {@code Error}, because operators throw it again if it comes as a signal. */
  private static Throwable nonFatal(@Nullable Throwable thrown) {
    if (thrown == null) {
      return new NullPointerException("a driver's publisher failed with null");
    }
    return thrown instanceof Error fatal ? fatalFailure(fatal) : thrown;
  }

  private static R2dbcNonTransientException fatalFailure(Error fatal) {
    return new R2dbcNonTransientException("a call ended with " + fatal, fatal) {
      private static final long serialVersionUID = 1L;
    };
  }

  /** Gives the subscriber one subscription and one end, whatever the source throws or signals. */
  private static final class SafeSubscriber<T> extends FirstEnd<T> {

    SafeSubscriber(CoreSubscriber<? super T> actual) {
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
        failAndCancel(thrown);
      }
    }

    /** Signals an error, and cancels the source, which has not ended. */
    private void failAndCancel(Throwable failure) {
      end(failure, true);
    }

    private void end(@Nullable Throwable failure, boolean cancelSource) {
      Throwable signal = nonFatal(failure);
      if (!tryEnd()) {
        Operators.onErrorDropped(signal, actual.currentContext());
        return;
      }
      if (cancelSource) {
        cancel();
      }
      try {
        actual.onError(signal);
      } catch (LinkageError | VirtualMachineError thrown) {
        // Our own operators threw it before they passed the failure on. A subscriber that has no
        // operator before it may see two errors, but only after such a breakdown.
        LOGGER.debug("A call failed while it handled a failure", signal);
        actual.onError(nonFatal(thrown));
      }
    }

    @Override
    public void request(long n) {
      try {
        super.request(n);
      } catch (Throwable thrown) {
        failAndCancel(thrown);
      }
    }

    @Override
    protected void cancelThrew(Throwable thrown) {
      LOGGER.debug("A driver's request could not be cancelled", thrown);
    }

    @Override
    public void onNext(@Nullable T value) {
      if (hasEnded()) {
        return;
      }
      if (value == null) {
        failAndCancel(new NullPointerException("a driver's publisher gave null"));
        return;
      }
      try {
        actual.onNext(value);
      } catch (Throwable thrown) {
        failAndCancel(thrown);
      }
    }

    @Override
    public void onError(@Nullable Throwable failure) {
      end(failure, false);
    }
  }
}
