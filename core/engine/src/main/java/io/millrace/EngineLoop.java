package io.millrace;

import io.millrace.internal.ShownText;
import io.millrace.internal.StackRoom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The drain loop of a generator. One thread at a time runs it; the others count their entry in
 * {@link #work} and leave. That also turns the recursion of a synchronous store and a subscriber
 * that asks again into a loop.
 *
 * <p><b>Whatever is thrown</b>, the loop can be entered again. Code from outside the engine is
 * called through guards ({@link GuardedStore}, {@link GuardedScheduler}, {@link GuardedRecorder},
 * {@link Delivery}), and {@link StackRoom} makes a full stack overflow before any work has begun.
 * An error of the virtual machine can still break off a run. Then {@link #resume} makes the
 * scheduler enter the loop again on an empty stack. If that fails too, or the stack was full at the
 * start, the next caller enters the loop: a subscriber, the timer of the waiting line, an answer of
 * the store, or another disposal.
 */
abstract class EngineLoop {

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private static final AtomicIntegerFieldUpdater<EngineLoop> WORK =
      AtomicIntegerFieldUpdater.newUpdater(EngineLoop.class, "work");

  /** How often in a row one thread enters a loop that is broken off each time. */
  private static final int MOST_ENTRIES_AT_ONCE = 3;

  final GeneratorConfig config;

  /** Above 0 while a thread runs the loop. */
  private volatile int work;

  /** How many runs of the loop in a row were broken off. Used by the loop only. */
  private int brokenOff;

  EngineLoop(GeneratorConfig config) {
    this.config = config;
  }

  /** One pass over everything that may have changed. */
  abstract void drainOnce();

  /** Never throws, so that each caller can finish its own work. */
  void drain() {
    tryDrain();
  }

  /**
   * The same for a caller after whom no other may come. A thread without stack does not count its
   * entry, so that it cannot lose the entries that others count meanwhile.
   *
   * @return why neither this thread nor another runs the loop; null if one does
   */
  final @Nullable Throwable tryDrain() {
    try {
      if (work == 0) {
        StackRoom.forDraining();
      }
    } catch (StackOverflowError full) {
      // Do not call a scheduler: a stack overflow inside it could break it for all.
      return full;
    }
    if (WORK.getAndIncrement(this) != 0) {
      return null;
    }
    try {
      int missed = 1;
      do {
        drainOnce();
        brokenOff = 0;
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
      return null;
    } catch (Throwable thrown) {
      int times = ++brokenOff;
      work = 0; // a plain write: the stack may have no room for a call
      return resume(thrown, times);
    }
  }

  /**
   * Schedules another run of the drain loop, which was broken off, on another stack. It runs after
   * a delay, because the cause may still be there.
   *
   * @return why it was not scheduled; null if it was
   */
  private @Nullable Throwable resume(Throwable thrown, int times) {
    try {
      long delay = config.backoff().delayNanos(times);
      config.scheduler().schedule(this::drain, delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException shutDown) {
      return times < MOST_ENTRIES_AT_ONCE
          ? tryDrain() // which fails the waiters: nothing can be reserved
          : thrown;
    } catch (Throwable worse) {
      return thrown;
    }
    report(thrown);
    return null;
  }

  private void report(Throwable thrown) {
    try {
      LOG.error(
          "Sequence "
              + ShownText.quote(config.sequence())
              + " was interrupted by an error, and goes on",
          thrown);
    } catch (Throwable worse) {
      // Nothing more can be done on this stack.
    }
  }
}
