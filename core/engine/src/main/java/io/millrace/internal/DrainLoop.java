package io.millrace.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Schedulers;

/**
 * The loop of an operator. Each signal writes a field of the operator and calls {@link #drain}. The
 * thread that raises {@link #wip} from 0 runs the loop, and repeats it for signals that come
 * meanwhile. So one thread at a time runs {@link #pass}. A signal from within the loop returns at
 * once, and the same thread handles it later. That keeps the stack flat.
 *
 * <p><b>Invariant.</b> Each throw leaves the loop free, and {@link #broken} holds it until the
 * operator has handled it. The next pass handles what a pass threw. If the thread's stack is full,
 * the next pass runs on another thread. If there is no room to schedule that, the caller gets the
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
   * The thread in the loop, while it is known to be there. Other threads write it too, so only one
   * test is valid: a thread finds itself here if, and only if, it is in the loop.
   */
  private @Nullable Thread drainer;

  /** Whether a signal came from within the loop since the last check; loop only. */
  private boolean signalledWithin;

  /** What was thrown within the loop and a pass still has to handle; loop only. */
  protected @Nullable Throwable broken;

  /**
   * A loop that no thread has entered.
   *
   * @param subscriber the loop runs with its ThreadLocals, if these are restored
   */
  protected DrainLoop(CoreSubscriber<?> subscriber) {
    scope = DrainScope.of(subscriber, this::loop);
  }

  /**
   * Does the pending work. If {@link #broken} is set, it must handle that, set it to null, and
   * throw nothing.
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

  /** Requests another pass; the calling thread must be in the loop. */
  protected final void signalWithin() {
    signalledWithin = true;
  }

  /**
   * Runs the loop, or leaves it to the thread that runs it now. Throws only a stack overflow, when
   * the stack has no room to schedule the loop on another thread.
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
    if (drainer == self) { // it has not left the loop
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

  /** Throws only if this thread's stack is full. */
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

  /** False if something was thrown that still has to be handled. */
  private boolean passUntilQuiet() {
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
   * Runs the loop on another thread, whose stack is empty; another signal might never come. Without
   * room on the stack the scheduler is not called: an overflow inside it would leave it locked for
   * all.
   *
   * @throws StackOverflowError if there is not enough; the loop is free for the next signal
   */
  private void continueOnScheduler() {
    StackRoom.forDraining();
    try {
      Schedulers.parallel().schedule(this::drain);
    } catch (Throwable refused) {
      // The next signal finds the loop free and runs it.
    }
  }
}
