package io.millrace.engine;

/**
 * Decides how many values a generator's reservations obtain, and how early they start.
 *
 * <p>Each reservation calls {@link #due}, {@link #next} and {@link #answered} in this order. The
 * starting attempt calls the first two, and the drain loop calls the third; the two never run at
 * the same time. After an attempt that fails, the next attempt calls {@link #due} again.
 */
interface BlockSizing {

  /** How many values a reservation obtains when there are no waiters. Read by any thread. */
  long blockSize();

  /**
   * A reservation is due when this many values are left; 0 means no prefetch. Read by any thread.
   */
  long lowWatermark();

  /** A reservation is about to begin. */
  default void due() {}

  /** How many values to reserve now, for the waiters and for the buffer. */
  long next(long unmet, long buffered);

  /** The reservation succeeded; its values are not counted as reserved yet. */
  default void answered() {}
}
