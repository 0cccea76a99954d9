package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStoreException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One attempt to reserve a block, and then its answer: asks the store and keeps the first event,
 * which is a block, a failure, an empty answer or the timeout. Later events do no harm.
 *
 * <p><b>Invariant.</b> The {@link #outcome} changes from null in one atomic step. The thread that
 * sets it ends the attempt: {@link #returned} then leaves {@link #NOT_OVER}.
 */
final class Reservation implements CoreSubscriber<SequenceBlock> {

  private static final AtomicReferenceFieldUpdater<Reservation, Subscription> UPSTREAM =
      AtomicReferenceFieldUpdater.newUpdater(Reservation.class, Subscription.class, "upstream");

  private static final AtomicReferenceFieldUpdater<Reservation, @Nullable Object> OUTCOME =
      AtomicReferenceFieldUpdater.newUpdater(Reservation.class, Object.class, "outcome");

  private static final Object TIMED_OUT = new Object();
  private static final Object COMPLETED_EMPTY = new Object();

  private static final long NOT_OVER = -1;

  private final GeneratorConfig config;
  private final Refiller refiller;
  private final long size;
  private final long startedAt;

  /**
   * A {@link SequenceBlock}, a {@link Throwable}, {@link #TIMED_OUT} or {@link #COMPLETED_EMPTY};
   * null before the first event.
   */
  private volatile @Nullable Object outcome;

  private volatile @Nullable Subscription upstream;

  /**
   * How many values at the end of the block the store took back, once the attempt is over; before,
   * {@link #NOT_OVER}.
   */
  private volatile long returned = NOT_OVER;

  /** The timeout. Written before the store is asked. */
  private Disposable timer = Disposables.disposed();

  Reservation(GeneratorConfig config, Refiller refiller, long size) {
    this.config = config;
    this.refiller = refiller;
    this.size = size;
    this.startedAt = config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  /** Asks the store. Subscribers wait for an answer, and a refused timer is one. */
  void begin() {
    try {
      setTimer();
    } catch (RuntimeException refused) {
      answer(refused);
    }
    if (outcome == null) { // the time may be over
      config.reserve(size, refiller.counterKnown()).subscribe(this);
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
    if (OUTCOME.compareAndSet(this, null, TIMED_OUT)) {
      try {
        Operators.terminate(UPSTREAM, this); // before the next attempt
      } catch (RuntimeException thrown) {
        Operators.onErrorDropped(thrown, currentContext());
      }
      end(0);
    }
  }

  /** Keeps an event, if it is the first. */
  private boolean answer(Object event) {
    if (!OUTCOME.compareAndSet(this, null, event)) {
      return false;
    }
    timer.dispose();
    SequenceBlock unusable = event instanceof SequenceBlock block ? aboveMaxValue(block) : null;
    if (unusable == null || !config.releasable()) {
      end(0);
    } else {
      release(unusable);
    }
    return true;
  }

  /** The end of the block that lies above the largest allowed value; null if there is none. */
  private @Nullable SequenceBlock aboveMaxValue(SequenceBlock block) {
    if (!block.isRun() || block.size() != size || block.last() <= config.maxValue()) {
      return null;
    }
    SequenceBlock usable = block.upTo(config.maxValue());
    return usable == null ? block : block.slice(usable.size(), block.size());
  }

  /**
   * Releases the unusable end of the block, so that an exhausted sequence does not use up its
   * numbers. This is safe before the attempt ends: none of these values was claimed, they are the
   * newest, and no other reservation is in flight. As at the shutdown, they are sent only once.
   */
  private void release(SequenceBlock unusable) {
    config.release(unusable).subscribe(released -> end(released ? unusable.size() : 0));
  }

  private void end(long released) {
    returned = released;
    refiller.ended();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    if (Operators.setOnce(UPSTREAM, this, subscription)) {
      subscription.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(SequenceBlock block) {
    if (!answer(block)) {
      refiller.discardLate(block);
    }
  }

  @Override
  public void onError(Throwable failure) {
    if (!answer(failure)) {
      Operators.onErrorDropped(failure, currentContext());
    }
  }

  @Override
  public void onComplete() {
    answer(COMPLETED_EMPTY);
  }

  /** Empty: no subscriber's context reaches the store. */
  @Override
  public Context currentContext() {
    return Context.empty();
  }

  // The answer, for the drain loop.

  boolean isOver() {
    return returned >= 0;
  }

  /** How many values were asked for. */
  long size() {
    return size;
  }

  /** How long it is since the attempt began. */
  long nanos() {
    return config.scheduler().now(TimeUnit.NANOSECONDS) - startedAt;
  }

  /** How many values at the end of the block the store took back. */
  long returned() {
    return returned;
  }

  /** The block, or null if the attempt failed. */
  @Nullable SequenceBlock block() {
    return outcome instanceof SequenceBlock block ? block : null;
  }

  /**
   * Why there is no block.
   *
   * @param before why the store failed last, or null; the message of a timeout names it
   */
  Throwable failure(@Nullable Throwable before) {
    if (outcome instanceof Throwable failure) {
      return isInvalid(failure)
          ? new SequenceStoreException(config.sequence(), "cannot do this: " + failure, failure)
          : failure;
    }
    return outcome == TIMED_OUT
        ? config.timedOut(before)
        : new SequenceStoreException(
            config.sequence(), "completed without a block of " + size + " values", null);
  }

  /** Whether the same request cannot succeed later. */
  private static boolean isInvalid(Throwable failure) {
    return failure instanceof IllegalArgumentException
        || failure instanceof UnsupportedOperationException;
  }
}
