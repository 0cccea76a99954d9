package io.millrace;

/**
 * How many values the generator's reservations obtain, and how early they start.
 *
 * <p>{@link #due}, {@link #next} and {@link #answered} are called for each reservation in this
 * order, one after another: by the attempt that begins, which the drain loop leaves alone until it
 * has an answer, and by the drain loop then. An attempt that fails is followed by the {@link #due}
 * of the next one.
 */
interface BatchSizing {

  /** How many values a reservation obtains when nobody waits. Read by any thread. */
  long batchSize();

  /** How many values are left when a reservation is due; 0: none ever is. Read by any thread. */
  long lowWatermark();

  /** A reservation is due: it begins as soon as it is admitted. */
  default void due() {}

  /** How many values to reserve now, for those who wait and for the buffer. */
  long next(long unmet, long buffered);

  /** The reservation succeeded; its values are not counted as reserved yet. */
  default void answered() {}
}
