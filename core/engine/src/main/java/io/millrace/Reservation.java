package io.millrace;

import io.millrace.Refiller.Answer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One attempt to reserve a block: asks the store and passes on the first event, which is a block, a
 * failure, an empty answer or the timeout. Later events do no harm.
 */
final class Reservation implements CoreSubscriber<SequenceBlock> {

  private static final AtomicReferenceFieldUpdater<Reservation, Subscription> UPSTREAM =
      AtomicReferenceFieldUpdater.newUpdater(Reservation.class, Subscription.class, "upstream");

  private final GeneratorConfig config;
  private final Refiller refiller;
  private final long size;
  private final long startedAt;

  private final AtomicBoolean answered = new AtomicBoolean();

  private volatile @Nullable Subscription upstream;

  /** The timeout. Written before the store is asked. */
  private Disposable timer = Disposables.disposed();

  Reservation(GeneratorConfig config, Refiller refiller, long size) {
    this.config = config;
    this.refiller = refiller;
    this.size = size;
    this.startedAt = config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  void begin() {
    try {
      setTimer();
      config.store().reserve(config.sequence(), size).subscribe(this);
    } catch (Throwable thrown) { // subscribers wait for an answer, so any throw is one
      answer(null, thrown);
    }
  }

  private void setTimer() {
    long nanos = config.reservationTimeout().toNanos();
    if (nanos > 0) {
      try {
        timer = config.scheduler().schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException refusal) {
        if (refusal != Exceptions.failWithRejectedNotTimeCapable()) {
          throw refusal; // a request without a limit might never end
        }
      }
    }
  }

  private void expire() {
    if (answered.compareAndSet(false, true)) {
      Operators.terminate(UPSTREAM, this); // before the next request is admitted to the store
      pass(
          null,
          0,
          SequenceTimeoutException.reservation(
              config.sequence(), config.reservationTimeout(), refiller.lastNonTimeoutFailure()));
    }
  }

  /** Passes an answer on, if it is the first. */
  private boolean answer(@Nullable SequenceBlock block, @Nullable Throwable failure) {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    timer.dispose();
    SequenceBlock unusable = block == null ? null : aboveMaxValue(block);
    if (unusable != null && config.store().isReleasable()) {
      giveBack(block, unusable);
    } else {
      pass(block, 0, failure);
    }
    return true;
  }

  /** The end of the block that lies above the largest allowed value; null if there is none. */
  private @Nullable SequenceBlock aboveMaxValue(SequenceBlock block) {
    if (block.step() == 0 || block.size() != size || block.last() <= config.maxValue().value()) {
      return null;
    }
    SequenceBlock usable = block.upTo(config.maxValue().value());
    return usable == null ? block : block.slice(usable.size(), block.size());
  }

  /**
   * Gives the unusable end of the block back to the store, so that an exhausted sequence does not
   * use up its numbers. This is safe before the attempt ends: none of these values was claimed,
   * they are the newest, and no other reservation is in flight. As at the shutdown, they are sent
   * only once.
   */
  private void giveBack(@Nullable SequenceBlock block, SequenceBlock unusable) {
    AtomicBoolean passed = new AtomicBoolean();
    Consumer<Boolean> answered =
        givenBack -> {
          if (passed.compareAndSet(false, true)) {
            pass(block, givenBack ? unusable.size() : 0, null);
          }
        };
    try {
      config
          .limitTime(config.store().release(config.sequence(), unusable))
          .onErrorReturn(false) // given back or a gap: no subscriber depends on it
          .defaultIfEmpty(false)
          .subscribe(answered, failed -> answered.accept(false));
    } catch (Throwable thrown) { // by a hook, or because the stack is full
      answered.accept(false);
    }
  }

  private void pass(@Nullable SequenceBlock block, long returned, @Nullable Throwable failure) {
    long nanos = config.scheduler().now(TimeUnit.NANOSECONDS) - startedAt;
    refiller.answered(new Answer(size, nanos, block, returned, failure));
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
      refiller.discardLate(block);
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
