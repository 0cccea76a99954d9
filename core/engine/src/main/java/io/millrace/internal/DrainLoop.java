package io.millrace.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Schedulers;

/**
 * The loop of an operator. Every signal leaves its trace in a field of the operator and calls
 * {@link #drain}. Whoever raises {@link #wip} from 0 runs the loop, and runs it again for those who
 * came meanwhile; so one thread at a time does what {@link #pass} does. A signal from within the
 * loop returns at once and is seen to by the same thread. That is what keeps the stack flat.
 *
 * <p><b>Invariant.</b> Whatever is thrown, the loop is left, and {@link #broken} says so until the
 * operator has dealt with it. What is thrown out of a pass is dealt with in the next. If the stack
 * of the thread is full, that is a pass on another thread; and if it has no room to call that, the
 * caller gets the overflow, and the next signal has a pass made.
 */
abstract class DrainLoop {

  private static final AtomicIntegerFieldUpdater<DrainLoop> WIP =
      AtomicIntegerFieldUpdater.newUpdater(DrainLoop.class, "wip");

  /** Null unless ThreadLocals are restored. */
  private final @Nullable DrainScope scope;

  /** Raised by every signal, lowered by the loop; above 0, a thread is in the loop. */
  @SuppressWarnings("UnusedVariable") // through WIP
  private volatile int wip;

  /**
   * The thread in the loop, while it is known to be there. Others write it too, so that it is read
   * for one thing only: a thread finds itself here if, and only if, it is in the loop.
   */
  private @Nullable Thread drainer;

  /** Whether a signal came from within the loop since it last looked; loop only. */
  private boolean signalledWithin;

  /** What was thrown within the loop and is to be dealt with by a pass; loop only. */
  protected @Nullable Throwable broken;

  /**
   * A loop that nobody has entered.
   *
   * @param subscriber whose ThreadLocals the loop runs with, if these are restored
   */
  protected DrainLoop(CoreSubscriber<?> subscriber) {
    scope = DrainScope.of(subscriber, this::loop);
  }

  /**
   * Does what there is to do. If {@link #broken} is set it has to deal with that, to set it to
   * null, and to throw nothing.
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

  /** Has the loop, which the calling thread is in, look again. */
  protected final void signalWithin() {
    signalledWithin = true;
  }

  /**
   * Runs the loop, or leaves it to the thread that runs it now. Throws nothing but the overflow of
   * a stack that has no room left to have another thread run it.
   */
  public final void drain() {
    Thread self = Thread.currentThread();
    if (drainer == self) {
      signalledWithin = true;
      return;
    }
    if (WIP.getAndIncrement(this) != 0) {
      return;
    }
    drainer = self;
    try {
      enter();
    } catch (Throwable thrown) {
      if (drainer == self && broken == null) {
        broken = thrown;
      }
    }
    if (drainer == self) { // and so has not left the loop
      drainer = null;
      wip = 0;
      goOnElsewhere();
    }
  }

  private void enter() {
    Throwable kept = scope == null ? null : scope.run();
    if (kept != null) {
      broken = kept;
    }
    if (scope == null || kept != null) {
      loop();
    }
  }

  /** Throws only where this thread has no stack to get any further. */
  private void loop() {
    Thread self = Thread.currentThread();
    int missed = 1;
    do {
      drainer = self;
      if (!passUntilQuiet()) {
        passUntilQuiet();
      }
      drainer = null;
      try {
        missed = WIP.addAndGet(this, -missed);
      } catch (Throwable thrown) {
        broken = thrown;
        drainer = self;
        throw thrown;
      }
    } while (missed != 0);
  }

  /** False if something was thrown, which is still to be dealt with. */
  private boolean passUntilQuiet() {
    try {
      do {
        signalledWithin = false;
        pass();
        if (broken instanceof StackOverflowError overflow) {
          throw overflow;
        }
      } while (signalledWithin);
    } catch (StackOverflowError overflow) {
      broken = overflow;
      throw overflow;
    } catch (Throwable thrown) {
      broken = thrown;
    }
    return broken == null;
  }

  /**
   * Where the stack is empty; the next signal would come too late, if any comes. Where there is no
   * room to call a scheduler, it is not called: an overflow in it would leave it locked, for all.
   *
   * @throws StackOverflowError if there is no room; the loop is free for the next signal
   */
  private void goOnElsewhere() {
    StackRoom.forDraining();
    try {
      Schedulers.parallel().schedule(this::drain);
    } catch (Throwable refused) {
      // Left to the next signal: it finds the loop free.
    }
  }
}
