package io.millrace;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * A thread that goes down to the end of its stack, and on the way back makes an attempt at each
 * depth.
 */
public final class EndOfStack {

  private final int depths;
  private final boolean untilOneReturns;
  private final IntConsumer attempt;
  private final AtomicInteger overflows = new AtomicInteger();
  private final Thread thread;

  /** Used on the way back, which begins where no object can be made; that thread only. */
  private int tried;

  /** Whether an attempt was not broken off; that thread only. */
  private boolean returned;

  private EndOfStack(long stackBytes, int depths, boolean untilOneReturns, IntConsumer attempt) {
    this.depths = depths;
    this.untilOneReturns = untilOneReturns;
    this.attempt = attempt;
    this.thread = new Thread(null, this::dive, "deep", stackBytes);
  }

  /**
   * Starts the thread. The attempts are given the number of their depth, 0 for the deepest; a
   * {@code StackOverflowError} that they throw is counted.
   */
  public static EndOfStack dive(long stackBytes, int depths, IntConsumer attempt) {
    return start(new EndOfStack(stackBytes, depths, false, attempt));
  }

  /**
   * The same, and the attempts go on above these depths until one is not broken off. Compiled
   * frames are so small that a fixed number of them may leave too little room for every attempt.
   */
  static EndOfStack diveUntilOneReturns(long stackBytes, int depths, IntConsumer attempt) {
    return start(new EndOfStack(stackBytes, depths, true, attempt));
  }

  private static EndOfStack start(EndOfStack deep) {
    deep.thread.start();
    return deep;
  }

  boolean isDiving() {
    return thread.isAlive();
  }

  /** Waits for the thread to end; how many attempts the end of the stack broke off. */
  public int overflows() throws InterruptedException {
    thread.join(TimeUnit.MINUTES.toMillis(1));
    if (isDiving() || tried < depths) {
      throw new AssertionError("made " + tried + " of " + depths + " attempts");
    }
    return overflows.get();
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void dive() {
    try {
      dive();
    } catch (StackOverflowError end) {
      // here the way back begins
    }
    int at = tried++;
    if (at < depths || (untilOneReturns && !returned)) {
      try {
        attempt.accept(at);
        returned = true;
      } catch (StackOverflowError | InternalError overflow) { // while a lambda is linked
        overflows.incrementAndGet();
      }
    }
  }
}
