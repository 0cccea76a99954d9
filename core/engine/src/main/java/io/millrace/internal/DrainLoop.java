package io.millrace.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Schedulers;

/**
 * The loop of an operator. The operator stores each signal in a field and calls {@link #drain}. The
 * thread that raises {@link #wip} from 0 runs the loop, and repeats it for signals that other
 * threads bring meanwhile. So one thread at a time runs {@link #pass}. A signal from within the
 * loop returns at once, and the same thread then runs another pass. This keeps the stack flat.
 *
 * <p><b>Invariant.</b> An exception in the loop never leaves the loop occupied. {@link #loopError}
 * holds it until the operator has handled it, in the next pass. After a stack overflow, that pass
 * runs on another thread. If the stack has no room to schedule it, the caller receives the
 * overflow, and the next signal runs the pass.
 */
abstract class DrainLoop {

  private static final AtomicIntegerFieldUpdater<DrainLoop> WIP =
      AtomicIntegerFieldUpdater.newUpdater(DrainLoop.class, "wip");

  /** Null unless ThreadLocals are restored. */
  private final @Nullable DrainScope scope;

  /** Raised by every signal, lowered by the loop. Above 0 while a thread is in the loop. */
  @SuppressWarnings("UnusedVariable") // through WIP
  private volatile int wip;

  /**
   * The thread in the loop. It is written by different threads and is not volatile, so a thread can
   * rely on one thing only: it finds itself here if, and only if, it is in the loop.
   */
  private @Nullable Thread drainer;

  /** Whether a signal came from within the loop since the last pass began; loop only. */
  private boolean passRequested;

  /** What was thrown within the loop and a pass has yet to handle; loop only. */
  protected @Nullable Throwable loopError;

  /**
   * Creates a loop that is not running.
   *
   * @param subscriber the loop runs with its ThreadLocals, if these are restored
   */
  protected DrainLoop(CoreSubscriber<?> subscriber) {
    scope = DrainScope.of(subscriber, this::loop);
  }

  /**
   * Does all the work that is due. If {@link #loopError} is set, it must handle that error, set the
   * field to null, and throw nothing.
   */
  protected abstract void pass();

  /**
   * Tells whether the calling thread is in the loop.
   *
   * @return true within a call of {@link #pass}
   */
  protected final boolean isWithinDrain() {
    return drainer == Thread.currentThread();
  }

  /** Makes the loop run another pass. The calling thread is in the loop. */
  protected final void requestPass() {
    passRequested = true;
  }

  /**
   * Runs the loop, or leaves it to the thread that runs it now. Throws only a stack overflow, if
   * the stack has no room left to schedule the loop on another thread.
   */
  public final void drain() {
    Thread self = Thread.currentThread();
    if (drainer == self) {
      passRequested = true;
      return;
    }
    if (WIP.getAndIncrement(this) != 0) {
      return;
    }
    drainer = self;
    try {
      enter();
    } catch (Throwable thrown) {
      if (drainer == self && loopError == null) {
        loopError = thrown;
      }
    }
    if (drainer == self) { // this thread has not left the loop
      drainer = null;
      wip = 0;
      continueOnScheduler();
    }
  }

  private void enter() {
    Throwable kept = scope == null ? null : scope.run();
    if (kept != null) {
      loopError = kept;
    }
    if (scope == null || kept != null) {
      loop();
    }
  }

  /** Throws only a stack overflow. */
  private void loop() {
    Thread self = Thread.currentThread();
    int missed = 1;
    do {
      drainer = self;
      if (!runPasses()) {
        runPasses();
      }
      drainer = null;
      try {
        missed = WIP.addAndGet(this, -missed);
      } catch (Throwable thrown) {
        loopError = thrown;
        drainer = self;
        throw thrown;
      }
    } while (missed != 0);
  }

  /** Runs passes until none is requested. Returns false if an error is left to handle. */
  private boolean runPasses() {
    try {
      do {
        passRequested = false;
        pass();
        if (loopError instanceof StackOverflowError overflow) {
          throw overflow;
        }
      } while (passRequested);
    } catch (StackOverflowError overflow) {
      loopError = overflow;
      throw overflow;
    } catch (Throwable thrown) {
      loopError = thrown;
    }
    return loopError == null;
  }

  /**
   * Schedules the loop on another thread, where the stack is empty. The next signal may come too
   * late, or never. The scheduler is called only with enough stack: an overflow inside it would
   * leave it locked for all its users.
   *
   * @throws StackOverflowError if there is not enough; the loop is free for the next signal
   */
  private void continueOnScheduler() {
    StackRoom.forDraining();
    try {
      Schedulers.parallel().schedule(this::drain);
    } catch (Throwable refused) {
      // The next signal runs the loop, which is free.
    }
  }
}
