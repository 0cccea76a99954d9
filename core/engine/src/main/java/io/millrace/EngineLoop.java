package io.millrace;

import io.millrace.internal.StackRoom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The drain loop of a generator. One thread at a time runs it; the others count their entry in
 * {@link #work} and leave. That also turns the recursion of a synchronous store and a subscriber
 * that asks again into a loop.
 *
 * <p><b>Whatever is thrown</b>, the loop can be entered again. The code of others is called through
 * guards ({@link GuardedStore}, {@link GuardedScheduler}, {@link GuardedRecorder}, {@link
 * Delivery}), and {@link StackRoom} lets a stack overflow before anything is begun. What remains,
 * an error of the virtual machine, ends the run and not the loop: {@link #resume} makes the
 * scheduler enter it on a stack of its own. If that fails too, or there was no room to begin, the
 * next caller enters it, or the line's timer, or an answer of the store that is on its way.
 */
abstract class EngineLoop {

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private static final AtomicIntegerFieldUpdater<EngineLoop> WORK =
      AtomicIntegerFieldUpdater.newUpdater(EngineLoop.class, "work");

  /** How often in a row a loop that is broken off each time is entered by one thread. */
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

  /** Never throws, so that nobody who calls it is left half done. */
  void drain() {
    if (WORK.getAndIncrement(this) != 0) {
      return;
    }
    boolean begun = false;
    try {
      StackRoom.forDraining();
      begun = true;
      int missed = 1;
      do {
        drainOnce();
        brokenOff = 0;
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
    } catch (Throwable thrown) {
      int times = ++brokenOff;
      work = 0; // takes no call: there may be no room for one
      if (begun) {
        resume(thrown, times);
      } // else no scheduler is to be called here: an overflow would leave it half done, for all
    }
  }

  /**
   * Has the drain loop, which was broken off, entered again on another stack; a little later, since
   * what broke it off may do so again.
   */
  private void resume(Throwable thrown, int times) {
    try {
      long delay = config.backoff().delayNanos(times);
      config.scheduler().schedule(this::drain, delay, TimeUnit.NANOSECONDS);
      LOG.error(
          "Sequence '" + config.sequence() + "' was interrupted by an error, and goes on", thrown);
    } catch (RejectedExecutionException shutDown) {
      if (times < MOST_ENTRIES_AT_ONCE) {
        drain(); // which tells those who wait that nothing can be reserved
      }
    } catch (Throwable worse) {
      // On this stack nothing more can be done. The next one who comes enters the loop.
    }
  }
}
