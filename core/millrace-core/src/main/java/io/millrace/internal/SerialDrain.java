package io.millrace.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A loop that one thread at a time runs. A thread that changes what the loop reads calls {@link
 * #drain}. If another thread is in the loop, the call is counted and returns, and that thread makes
 * another pass. This needs neither a lock nor recursion.
 *
 * <p><b>Invariant.</b> The begin of a pass follows each call of {@link #drain}. A pass throws
 * nothing.
 */
public abstract class SerialDrain {

  private static final AtomicIntegerFieldUpdater<SerialDrain> WORK =
      AtomicIntegerFieldUpdater.newUpdater(SerialDrain.class, "work");

  /** Above 0 while a thread is in the loop: its calls since the latest pass began, and itself. */
  private volatile int work;

  /** One pass over everything that may have changed. */
  protected abstract void drainOnce();

  /** Runs the loop, or leaves it to the thread that runs it now. */
  public void drain() {
    if (WORK.getAndIncrement(this) != 0) {
      return;
    }
    int missed = 1;
    do {
      drainOnce();
      missed = WORK.addAndGet(this, -missed);
    } while (missed != 0);
  }
}
