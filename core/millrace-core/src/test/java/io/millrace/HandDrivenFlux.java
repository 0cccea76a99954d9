package io.millrace;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * A source for one subscriber whose elements are emitted by the thread that calls {@link #emit},
 * while others request and cancel.
 */
public final class HandDrivenFlux<T> extends Flux<T> implements Subscription {

  private final LongFunction<T> element;
  private final AtomicLong requested = new AtomicLong();
  private volatile @Nullable CoreSubscriber<? super T> subscriber;
  private volatile boolean cancelled;
  private volatile long emitted;

  public HandDrivenFlux(LongFunction<T> element) {
    this.element = element;
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    subscriber = actual;
    actual.onSubscribe(this);
  }

  @Override
  public void request(long n) {
    requested.accumulateAndGet(n, Operators::addCap);
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }

  /** How many elements this has emitted. */
  public long emitted() {
    return emitted;
  }

  /** How many elements were asked for, including those emitted. */
  public long requested() {
    return requested.get();
  }

  /** Emits as demand comes up, until so many are emitted, or it is cancelled, or told to stop. */
  public void emit(long count, BooleanSupplier stop) {
    while (emitted < count && !cancelled && !stop.getAsBoolean()) {
      if (emitted < requested.get()) {
        long number = emitted;
        emitted = number + 1;
        Objects.requireNonNull(subscriber).onNext(element.apply(number));
      } else {
        Thread.onSpinWait();
      }
    }
  }

  public void complete() {
    Objects.requireNonNull(subscriber).onComplete();
  }

  public void fail(Throwable error) {
    Objects.requireNonNull(subscriber).onError(error);
  }
}
