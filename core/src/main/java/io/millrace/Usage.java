package io.millrace;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * In what order the generators of one home were used, and whether one became idle while somebody
 * looked for such a one. A look at all generators is no look at one moment: a user may go from one
 * that was passed to one that was not, so that each seems in use; then it has become idle
 * meanwhile.
 */
final class Usage {

  /** Numbers uses. Above the number that a generator has before its first use. */
  private final AtomicLong uses = new AtomicLong(1);

  /** How many look for an idle generator or a place; read after each use, seldom written. */
  private final AtomicInteger seekers = new AtomicInteger();

  private final AtomicLong idled = new AtomicLong();

  /** The number of the latest use of any generator. */
  long latest() {
    return uses.get();
  }

  /** Numbers a use; the user of the latest need not, since nobody came between. */
  long next() {
    return uses.incrementAndGet();
  }

  void startSeeking() {
    seekers.incrementAndGet();
  }

  void stopSeeking() {
    seekers.decrementAndGet();
  }

  /** A generator may be idle, or a place free, from before this call on. */
  void noteIdle() {
    if (seekers.get() != 0) {
      idled.incrementAndGet();
    }
  }

  /** Changes with each {@link #noteIdle} while somebody seeks. */
  long idled() {
    return idled.get();
  }
}
