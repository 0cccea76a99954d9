package io.millrace;

import io.millrace.Reservations.Answer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One attempt to reserve a block: asks the store, and passes on the first thing that happens, a
 * block, a failure, an empty answer or the timeout. What happens after that does no harm.
 */
final class Reservation implements CoreSubscriber<SequenceBlock> {

  private static final AtomicReferenceFieldUpdater<Reservation, Subscription> UPSTREAM =
      AtomicReferenceFieldUpdater.newUpdater(Reservation.class, Subscription.class, "upstream");

  private final GeneratorConfig config;
  private final Reservations reservations;
  private final long size;
  private final long startedAt;

  private final AtomicBoolean answered = new AtomicBoolean();

  private volatile @Nullable Subscription upstream;

  /** The timeout. Written before the store is asked. */
  private Disposable timer = Disposables.disposed();

  Reservation(GeneratorConfig config, Reservations reservations, long size) {
    this.config = config;
    this.reservations = reservations;
    this.size = size;
    this.startedAt = config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  void begin() {
    try {
      setTimer();
      Mono<SequenceBlock> asked = config.store().reserve(config.sequence(), size);
      if (asked == null) {
        throw new SequenceStoreException(config.sequence(), "returned null for a Mono", null);
      }
      asked.subscribe(this);
    } catch (Throwable thrown) { // whatever it is, somebody waits for an answer
      answer(null, thrown);
      Exceptions.throwIfJvmFatal(thrown);
    }
  }

  private void setTimer() {
    long nanos = config.reservationTimeout().toNanos();
    if (nanos > 0) {
      try {
        timer = config.scheduler().schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException shutDown) {
        // Without a clock there are no timeouts; the store still answers.
      }
    }
  }

  private void expire() {
    if (answered.compareAndSet(false, true)) {
      try {
        Operators.terminate(UPSTREAM, this); // before the next request takes its turn at the store
      } finally {
        pass(
            null,
            SequenceTimeoutException.reservation(config.sequence(), config.reservationTimeout()));
      }
    }
  }

  /** Passes an answer on, if it is the first. */
  private boolean answer(@Nullable SequenceBlock block, @Nullable Throwable failure) {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    timer.dispose();
    pass(block, failure);
    return true;
  }

  private void pass(@Nullable SequenceBlock block, @Nullable Throwable failure) {
    long nanos = config.scheduler().now(TimeUnit.NANOSECONDS) - startedAt;
    reservations.answered(new Answer(size, nanos, block, failure));
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    if (Operators.setOnce(UPSTREAM, this, subscription)) {
      subscription.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(SequenceBlock block) {
    if (!answer(block, null)) {
      reservations.answeredLate(block);
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (!answer(null, failure)) {
      Operators.onErrorDropped(failure, currentContext());
    }
  }

  @Override
  public void onComplete() {
    if (!answered.get()) {
      answer(
          null,
          new SequenceStoreException(
              config.sequence(), "completed without a block of " + size + " values", null));
    }
  }

  /** Empty: no subscriber's context reaches the store. */
  @Override
  public Context currentContext() {
    return Context.empty();
  }
}
