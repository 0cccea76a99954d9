package io.millrace.engine;

import io.millrace.SequenceGenerator;
import io.millrace.internal.LogSafe;
import io.millrace.internal.Threads;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * One subscription to a generator: it claims values for its subscriber, and waits in the queue when
 * none is buffered.
 *
 * <p><b>Invariant.</b> {@link #phase} says which thread may use the claim and signal the
 * subscriber. {@link #NEW}: none yet. {@link #RUNNING}: the thread that runs the subscription's own
 * loop. {@link #WAITING}: no thread, until a compare-and-set ends that phase. A grant, a timeout, a
 * failure and a cancel compete for it; the winner owns the next step, and the others do nothing.
 * {@link #GRANTING}: the drain loop puts values into the claim. {@link #GRANTED}: the drain loop
 * has put values into the claim, or none because the generator has retired, and {@link #deliver} is
 * on its way. {@link #FAILING}: an error is on its way, and a cancel before it arrives suppresses
 * it. {@link #DONE}: the subscriber gets no more signals, and a thread that finds values in the
 * claim gives them back.
 */
abstract class Waiter<T> extends Claim implements Scannable, Runnable {

  static final int NEW = 0;
  static final int RUNNING = 1;
  static final int WAITING = 2;
  static final int GRANTING = 3;
  static final int GRANTED = 4;
  static final int FAILING = 5;
  static final int DONE = 6;

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private static final AtomicIntegerFieldUpdater<Waiter<?>> PHASE = phaseUpdater();

  /**
   * The generator that it claims from. The thread that runs the subscription replaces it when it
   * has retired.
   */
  volatile BufferedSequenceGenerator generator;

  final CoreSubscriber<? super T> actual;

  /** Moved by compare-and-set only, except that a cancel sets it to DONE from anywhere. */
  private volatile int phase;

  /** When the wait began, in the scheduler's nanoseconds. Written before the phase is WAITING. */
  long waitingSince;

  /**
   * In the ordered mode, this waiter's share of the reservation in flight, in values; 0 if it came
   * after the reservation began. Written when the reservation begins, read by the drain loop when
   * it has ended.
   */
  long share;

  /** Makes the error; null unless the wait ended with one. Written by the thread that ended it. */
  private @Nullable Supplier<? extends Throwable> failure;

  Waiter(BufferedSequenceGenerator generator, CoreSubscriber<? super T> actual, int phase) {
    this.generator = generator;
    this.actual = actual;
    this.phase = phase;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static AtomicIntegerFieldUpdater<Waiter<?>> phaseUpdater() {
    return (AtomicIntegerFieldUpdater) AtomicIntegerFieldUpdater.newUpdater(Waiter.class, "phase");
  }

  /**
   * How many values the subscriber has requested and not received. Above 0 while it waits, also
   * during a concurrent cancel. Read by any thread.
   */
  abstract long unmet();

  /** Returns the demand that the queue counts while this has a place in it. */
  long startCounting() {
    return unmet();
  }

  /** Ends the count, with the place in the queue, and returns the demand that was counted. */
  long stopCounting() {
    return unmet();
  }

  /** Passes the values granted to the subscriber. Called once for each grant. */
  abstract void deliver();

  /**
   * Delivers what was granted, or the error after {@link #startFailing}, on the generator's {@code
   * deliverOn} scheduler or, if that rejects it or is not set, on this thread.
   */
  final void signal() {
    Scheduler scheduler = generator.deliverOn();
    if (scheduler == null) {
      run();
    } else {
      Threads.run(scheduler, this);
    }
  }

  /**
   * A subscriber should not throw from a signal. If it does, the drain loop or timer that signalled
   * it goes on, because all other subscribers depend on it.
   */
  @Override
  public final void run() {
    try {
      Supplier<? extends Throwable> error = failure;
      if (error == null) {
        deliver();
      } else {
        fail(error.get());
      }
    } catch (Throwable thrown) {
      LOG.error(
          "A subscriber to sequence " + LogSafe.quote(generator.name()) + " threw from a signal",
          thrown);
    }
  }

  /**
   * Ends the wait with an error, which the next {@link #run} signals. False if the wait had ended.
   *
   * @param error makes the error
   */
  final boolean startFailing(Supplier<? extends Throwable> error) {
    if (!moveTo(WAITING, FAILING)) {
      return false;
    }
    failure = error;
    return true;
  }

  /**
   * Whether it may wait although the queue is full. The limit applies to the first wait only:
   * later, the subscriber has received values, or collects them for a list. Called by the thread
   * that owns the claim.
   */
  boolean mayExceedLimit() {
    return hasIssued();
  }

  /**
   * Claims up to {@code count} values. The phase is RUNNING. If the generator has retired, its
   * successor is asked.
   *
   * @return false if the subscription has to wait, or has ended with an error
   */
  final boolean claimOrWait(long count) {
    while (!generator.claim(this, count)) {
      if (generator.enqueue(this)) {
        return false;
      }
      try {
        generator = generator.successor();
      } catch (Throwable refused) {
        refuse(refused);
        return false;
      }
    }
    return true;
  }

  /**
   * Gives back what is claimed or collected and not issued. Called by the thread that owns the
   * claim.
   */
  void giveBackAll() {
    generator.giveBack(this);
  }

  final int phase() {
    return phase;
  }

  final boolean moveTo(int expected, int next) {
    return PHASE.compareAndSet(this, expected, next);
  }

  final boolean isWaiting() {
    return phase == WAITING;
  }

  /** Ends the wait with a grant, which {@link #grant} completes. False if it left meanwhile. */
  final boolean startGranting() {
    return moveTo(WAITING, GRANTING);
  }

  /**
   * Takes over what was claimed for it while the phase is GRANTING. False if it left meanwhile;
   * then the values are given back.
   */
  final boolean grant(Claim claimed) {
    takeFrom(claimed);
    if (moveTo(GRANTING, GRANTED)) {
      return true;
    }
    giveBackAll();
    return false;
  }

  /** From running to waiting; false if it was cancelled. */
  final boolean startWaiting(long now) {
    waitingSince = now;
    share = 0;
    return moveTo(RUNNING, WAITING);
  }

  /** Ends a running subscription with an error; if it was cancelled, no error is signalled. */
  final void refuse(Throwable error) {
    if (moveTo(RUNNING, FAILING)) {
      fail(error);
    } else {
      giveBackAll();
    }
  }

  /**
   * Ends the subscription with an error, unless it was cancelled meanwhile. Another call has moved
   * the phase to FAILING. Values are given back before the signal, for a subscriber that asks again
   * at once.
   */
  private void fail(Throwable error) {
    giveBackAll();
    if (moveTo(FAILING, DONE)) {
      signalError(error);
    }
  }

  /** Passes on the error that has ended the subscription. */
  void signalError(Throwable error) {
    actual.onError(error);
  }

  /** Ends the subscription, from any thread. */
  public final void cancel() {
    int before = PHASE.getAndSet(this, DONE);
    if (before == WAITING) {
      generator.departed(this);
    }
    if (before == WAITING || before == GRANTED) {
      giveBackAll();
    }
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    boolean done = phase == DONE;
    return scan(key, generator, actual, done ? 0 : unmet(), done);
  }

  /** The attributes of a subscription to a generator. */
  static @Nullable Object scan(
      Attr<?> key,
      BufferedSequenceGenerator generator,
      CoreSubscriber<?> actual,
      long unmet,
      boolean done) {
    if (key == Attr.PARENT) {
      return generator;
    }
    if (key == Attr.ACTUAL) {
      return actual;
    }
    if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
      return unmet;
    }
    if (key == Attr.CANCELLED || key == Attr.TERMINATED) {
      return done;
    }
    return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
  }
}
