package io.millrace.internal;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;

/**
 * The loop of an operator. The operator stores each signal in a field and calls {@link #drain}. One
 * thread at a time runs {@link #pass}. A signal from within the loop returns at once, and the same
 * thread then runs another pass. This keeps the stack flat.
 *
 * <p><b>Invariant.</b> What a pass throws is handled by the next pass: {@link #loopError} holds it
 * until then. If that pass throws as well, it is repeated on another stack ({@link SerialDrain}).
 */
abstract class DrainLoop extends SerialDrain {

  private final CoreSubscriber<?> subscriber;

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
    this.subscriber = subscriber;
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

  /** Runs the loop, or leaves it to the thread that runs it now. */
  @Override
  public final void drain() {
    if (isWithinDrain()) {
      passRequested = true;
    } else {
      super.drain();
    }
  }

  @Override
  protected final void drainOnce() {
    drainer = Thread.currentThread();
    try {
      Throwable notRun = ContextScope.tryRun(subscriber::currentContext, this::passes);
      if (notRun != null) {
        loopError = notRun;
        passes();
      }
    } finally {
      drainer = null;
    }
  }

  private void passes() {
    do {
      passRequested = false;
      Throwable unhandled = loopError;
      try {
        pass();
      } catch (Throwable thrown) {
        loopError = thrown;
        if (unhandled != null) {
          throw thrown;
        }
      }
    } while (passRequested || loopError != null);
  }
}
