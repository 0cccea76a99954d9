package io.millrace.internal;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscription to the publisher of a driver, a store or the application. It passes one
 * subscription and one end on, whatever the source throws or signals. What comes after the end, and
 * what a cancel throws, goes to Reactor's hooks for dropped signals.
 *
 * <p>What is thrown becomes the error. That includes errors of the JVM, such as a {@code
 * StackOverflowError} on a deep stack, which Reactor's operators throw to their caller: then the
 * subscriber would receive no end, and not give back what it holds. Such an error is signalled as
 * the cause of a {@code RuntimeException}, because operators rethrow it if it comes as a signal.
 *
 * <p>The subscriber receives this as its subscription. So no later operator can take values
 * directly from the source by fusion.
 */
public final class GuardedCall<T> implements CoreSubscriber<T>, Subscription, Scannable {

  @SuppressWarnings("rawtypes")
  private static final AtomicIntegerFieldUpdater<GuardedCall> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(GuardedCall.class, "ended");

  /** The signal for an error of the JVM that there is no memory to describe. */
  private static final RuntimeException OUT_OF_MEMORY =
      new RuntimeException("ended by an error of the JVM", null, false, false) {
        private static final long serialVersionUID = 1L;
      };

  private final CoreSubscriber<? super T> actual;
  private final Function<String, ? extends Throwable> broken;

  /** Written by {@link #onSubscribe}. */
  private volatile @Nullable Subscription source;

  /** 1 after the first end, else 0. Set by the thread that brings the first end. */
  private volatile int ended;

  private GuardedCall(
      CoreSubscriber<? super T> actual, Function<String, ? extends Throwable> broken) {
    this.actual = actual;
    this.broken = broken;
  }

  /**
   * Emits the value of a {@code Mono}, or the first value of another publisher, or the error or the
   * completion.
   *
   * @param call gives the publisher; called at each subscription
   */
  public static <T> Mono<T> mono(Supplier<? extends Publisher<? extends T>> call) {
    return Mono.fromDirect(
        subscriber -> subscribe(() -> one(call.get()), subscriber, NullPointerException::new));
  }

  /** Leaves a Mono as it is: {@code next()} would cancel it after its value. */
  private static <T> Publisher<? extends T> one(Publisher<? extends T> publisher) {
    return publisher == null || publisher instanceof Mono<?>
        ? publisher
        : GuardedCall.<T>flux(() -> publisher).next();
  }

  /**
   * Emits what a publisher emits.
   *
   * @param call gives the publisher; called at each subscription
   */
  public static <T> Flux<T> flux(Supplier<? extends Publisher<? extends T>> call) {
    return flux(call, NullPointerException::new);
  }

  /**
   * The same with an error of its own for a null.
   *
   * @param call gives the publisher; called at each subscription
   * @param broken makes the error from a text that says what was null
   */
  public static <T> Flux<T> flux(
      Supplier<? extends Publisher<? extends T>> call,
      Function<String, ? extends Throwable> broken) {
    return Flux.from(subscriber -> subscribe(call, subscriber, broken));
  }

  private static <T> void subscribe(
      Supplier<? extends Publisher<? extends T>> call,
      Subscriber<? super T> subscriber,
      Function<String, ? extends Throwable> broken) {
    GuardedCall<T> guard = new GuardedCall<>(Operators.toCoreSubscriber(subscriber), broken);
    try {
      Publisher<? extends T> publisher = call.get();
      if (publisher == null) {
        guard.fail(broken.apply("returned null for a publisher"));
      } else {
        publisher.subscribe(guard);
      }
    } catch (Throwable thrown) {
      guard.fail(thrown);
    }
  }

  /** Calls something, and passes on what it throws. */
  public static void run(Runnable call, Consumer<? super Throwable> thrown) {
    try {
      call.run();
    } catch (Throwable failure) {
      thrown.accept(failure);
    }
  }

  /** Returns the result of a call, or another if it throws. */
  public static <R extends @Nullable Object> R get(
      Supplier<? extends R> call, Function<? super Throwable, ? extends R> otherwise) {
    try {
      return call.get();
    } catch (Throwable thrown) {
      return otherwise.apply(thrown);
    }
  }

  /**
   * Signals an error. What the subscriber throws is reported as dropped; an error of the JVM is
   * signalled first, because Reactor's operators throw it where they handle an error.
   */
  public static void error(CoreSubscriber<?> actual, Throwable failure) {
    Throwable signal = signalled(failure);
    for (int tries = 0; tries < 2; tries++) {
      try {
        actual.onError(signal);
        return;
      } catch (Throwable thrown) {
        signal = signalled(thrown);
        if (signal == thrown) {
          break;
        }
      }
    }
    drop(signal, actual::currentContext);
  }

  /**
   * Returns an error in a form that Reactor's operators pass on.
   *
   * @return the error, or a {@code RuntimeException} whose cause is this error of the JVM
   */
  public static Throwable signalled(Throwable failure) {
    if (!Exceptions.isJvmFatal(failure)) {
      return failure;
    }
    try {
      return new RuntimeException("ended by an error of the JVM: " + failure, failure);
    } catch (OutOfMemoryError full) {
      return OUT_OF_MEMORY;
    }
  }

  /**
   * Passes an error that no subscriber can receive to Reactor's hook for dropped errors. Throws
   * nothing: a hook may throw the error itself, and there is no other place to report it.
   *
   * @param context gives the Context of the subscriber, which may contain a hook; it may throw
   */
  public static void drop(Throwable failure, Supplier<Context> context) {
    try {
      Operators.onErrorDropped(signalled(failure), context.get());
    } catch (Throwable hooked) {
      // there is no other place
    }
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  /** Keeps the first subscription, and cancels each other. */
  @Override
  public void onSubscribe(Subscription subscription) {
    if (Operators.validate(source, subscription)) {
      source = subscription;
      actual.onSubscribe(this);
    } else if (ended == 0 && Operators.canAppearAfterOnSubscribe(subscription)) {
      cancel(); // Reactor's sign that the source threw, and so does not end itself
    }
  }

  @Override
  public void request(long n) {
    try {
      Objects.requireNonNull(source).request(n);
    } catch (Throwable thrown) {
      fail(thrown);
    }
  }

  @Override
  public void cancel() {
    Subscription subscribed = source;
    if (subscribed != null) {
      run(subscribed::cancel, thrown -> drop(thrown, actual::currentContext));
    }
  }

  @Override
  public void onNext(T value) {
    if (ended != 0) {
      Operators.onNextDropped(value, currentContext());
    } else if (value == null) {
      fail(broken.apply("emitted null for a value"));
    } else {
      try {
        actual.onNext(value);
      } catch (Throwable thrown) {
        fail(thrown);
      }
    }
  }

  @Override
  public void onError(Throwable failure) {
    end(failure == null ? broken.apply("emitted null for an error") : failure, false);
  }

  @Override
  public void onComplete() {
    if (ENDED.compareAndSet(this, 0, 1)) {
      requireSubscription();
      actual.onComplete();
    }
  }

  /** The source has not ended. */
  private void fail(Throwable failure) {
    end(failure, true);
  }

  private void end(Throwable failure, boolean cancelSource) {
    if (!ENDED.compareAndSet(this, 0, 1)) {
      drop(failure, actual::currentContext);
      return;
    }
    if (cancelSource) {
      cancel();
    }
    requireSubscription();
    error(actual, failure);
  }

  /** An end needs a subscription before it; one that comes later is then cancelled. */
  private void requireSubscription() {
    if (source == null) {
      onSubscribe(Operators.emptySubscription());
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.PARENT) {
      return source;
    }
    if (key == Attr.ACTUAL) {
      return actual;
    }
    return key == Attr.TERMINATED ? ended != 0 : null;
  }
}
