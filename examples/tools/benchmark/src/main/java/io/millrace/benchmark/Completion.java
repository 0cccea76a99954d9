package io.millrace.benchmark;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The end of a subscription, which a taker waits for. If several threads share a generator, another
 * thread may deliver the values. The taker spins for a while, which costs nothing if all values
 * came at once, and then yields the processor. If the values never come, the benchmark fails.
 */
final class Completion {

  private static final int SPINS = 1_000;
  private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(30);

  /** Set and read without a full fence, because the fence would be measured, too. */
  private final AtomicBoolean ended = new AtomicBoolean();

  void reset() {
    ended.setPlain(false);
  }

  void end() {
    ended.setRelease(true);
  }

  void await() {
    for (int spins = 0; !ended.getAcquire(); spins++) {
      if (spins == SPINS) {
        awaitLong();
        return;
      }
      Thread.onSpinWait();
    }
  }

  private void awaitLong() {
    long since = System.nanoTime();
    while (!ended.getAcquire()) {
      if (Thread.interrupted() || System.nanoTime() - since > TIMEOUT) {
        throw new IllegalStateException("the values did not come, not all of them");
      }
      Thread.yield();
    }
  }
}
