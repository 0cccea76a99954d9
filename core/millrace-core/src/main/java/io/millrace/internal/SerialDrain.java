package io.millrace.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A loop that one thread at a time runs. Whoever changes what the loop reads calls {@link #drain}.
 * If a thread is in the loop, the call is counted and returns, and that thread makes another pass.
 * So neither a lock nor a recursion is needed.
 *
 * <p><b>Invariant.</b> Each call of {@link #drain} that has room on its stack is followed by the
 * begin of a pass, whatever the pass before it throws. What breaks the loop off reaches the caller,
 * and the loop goes on after a pause on another stack. If that cannot be scheduled, the next call
 * of {@code drain} goes on.
 *
 * <p>The loop works for others than the thread that runs it. So a thread whose stack is nearly used
 * up does not enter it: its call fails with a {@code StackOverflowError} before it counts.
 */
public abstract class SerialDrain {

  private static final AtomicIntegerFieldUpdater<SerialDrain> WORK =
      AtomicIntegerFieldUpdater.newUpdater(SerialDrain.class, "work");

  private static final long PAUSE_MILLIS = 10;

  /** The room that a pass and a scheduler need, in frames of {@link #descend}: 10 to 40 kB. */
  public static final int PASS = 192;

  /** The room that a scheduler needs to take a task: an overflow inside would damage it. */
  public static final int SCHEDULE = 64;

  /** Above 0 while a thread is in the loop: its calls since the latest pass began, and itself. */
  private volatile int work;

  /** One pass over everything that may have changed. */
  protected abstract void drainOnce();

  /**
   * Returns where the loop goes on after it was broken off.
   *
   * @return Reactor's parallel scheduler, unless overridden
   */
  protected Scheduler scheduler() {
    return Schedulers.parallel();
  }

  /**
   * Tells how much room on the stack a thread needs to enter the loop.
   *
   * @return {@link #PASS}; or more if a pass calls others that enter a loop; at least {@link
   *     #SCHEDULE}
   */
  protected int room() {
    return PASS;
  }

  /** Runs the loop, or leaves it to the thread that runs it now. Throws what a pass throws. */
  public void drain() {
    if (!enter()) {
      return;
    }
    boolean left = false;
    try {
      int missed = 1;
      do {
        drainOnce();
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
      left = true;
    } finally {
      if (!left) {
        work = 0;
        scheduler().schedule(this::drain, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Counts a call. Returns true if no thread is in the loop: then this one has entered it. */
  private boolean enter() {
    for (; ; ) {
      int counted = work;
      if (counted == 0) {
        needStack(room());
      }
      if (WORK.compareAndSet(this, counted, counted + 1)) {
        return counted == 0;
      }
    }
  }

  /**
   * Overflows now if the stack of this thread has no room.
   *
   * @param frames {@link #PASS}, {@link #SCHEDULE}, or multiples of them
   * @throws StackOverflowError if there is no room
   */
  public static void needStack(int frames) {
    descend(frames, 1, 2, 3, 4);
  }

  /** Uses the arguments after the call, so each frame has to hold them. */
  private static long descend(int frames, long a, long b, long c, long d) {
    return frames == 0 ? a : descend(frames - 1, b, c, d, a + frames) + (a ^ b ^ c ^ d);
  }
}
