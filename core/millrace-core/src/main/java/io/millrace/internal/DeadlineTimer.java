package io.millrace.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * A timer for the first of many deadlines. When it expires, it is set again if a deadline is left.
 * If the scheduler rejects it, the deadlines pass unnoticed until it is set again.
 *
 * <p><b>Invariant.</b> A deadline has a timer if it was added before {@link #ensureSet} was called:
 * {@link #isSet} is cleared before the deadlines are read again. One thread at a time sets the
 * timer, in the loop, so {@link #task} is the latest one when it is disposed of.
 */
public final class DeadlineTimer extends SerialDrain implements Disposable {

  /** The time left if there is no deadline. */
  public static final long NONE = Long.MAX_VALUE;

  private final Scheduler scheduler;
  private final LongSupplier nanosLeft;
  private final Runnable expired;

  /** What the scheduler runs. Once disposed, it disposes every later task. */
  private final Disposable.Swap task = Disposables.swap();

  private volatile boolean isSet;

  /**
   * Creates a timer that is not set.
   *
   * @param nanosLeft returns the time to the first deadline in nanoseconds, or {@link #NONE}
   * @param expired called on the scheduler when that time has passed, one call at a time. The timer
   *     is set again when it returns; it throws nothing
   */
  public DeadlineTimer(Scheduler scheduler, LongSupplier nanosLeft, Runnable expired) {
    this.scheduler = scheduler;
    this.nanosLeft = nanosLeft;
    this.expired = expired;
  }

  /** Sets the timer if there is a deadline. It may expire during the call. */
  public void ensureSet() {
    if (!isSet) {
      drain();
    }
  }

  @Override
  protected void drainOnce() {
    if (isSet || isDisposed()) {
      return;
    }
    long nanos = nanosLeft.getAsLong();
    if (nanos == NONE) {
      task.replace(null); // keep no task that is over
      return;
    }
    isSet = true;
    try {
      task.replace(scheduler.schedule(this::expire, Math.max(0, nanos), TimeUnit.NANOSECONDS));
    } catch (RuntimeException rejected) {
      isSet = false;
    }
  }

  private void expire() {
    task.replace(null); // or a dispose would interrupt what runs now
    expired.run();
    isSet = false;
    drain();
  }

  /** Cancels the timer forever. */
  @Override
  public void dispose() {
    task.dispose();
  }

  @Override
  public boolean isDisposed() {
    return task.isDisposed();
  }
}
