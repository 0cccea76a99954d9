package io.millrace.benchmark;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a taker waits for. Where several threads share a generator another one may deliver; the
 * taker looks for that a while, which costs nothing if all came at once, and then leaves the
 * processor to the others. A benchmark whose values never come fails.
 */
final class Ending {

  private static final int LOOKS = 1_000;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  /** Set and read without a full fence, which would be a part of what is measured. */
  private final AtomicBoolean ended = new AtomicBoolean();

  void reset() {
    ended.setPlain(false);
  }

  void end() {
    ended.setRelease(true);
  }

  void await() {
    for (int looks = 0; !ended.getAcquire(); looks++) {
      if (looks == LOOKS) {
        awaitLong();
        return;
      }
      Thread.onSpinWait();
    }
  }

  private void awaitLong() {
    long since = System.nanoTime();
    while (!ended.getAcquire()) {
      if (Thread.interrupted() || System.nanoTime() - since > PATIENCE) {
        throw new IllegalStateException("the values did not come, not all of them");
      }
      Thread.yield();
    }
  }
}
