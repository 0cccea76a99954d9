package io.millrace.simulate;

import java.util.function.LongSupplier;

/**
 * The times at which each instance is asked for values, in nanoseconds. The time of an instance
 * only moves forward: arrivals that were skipped or counted are in the past.
 */
interface Arrivals {

  /** Skips {@code count} arrivals, 1 or more, and returns the time of the last of them. */
  long skip(int instance, long from, long count);

  /** Counts and skips all arrivals after {@code from} until {@code to}, inclusive. */
  long count(int instance, long from, long to);

  /**
   * The times of the arrivals that {@link #count} has just counted, the last one first. The caller
   * may take at most {@code count} of them.
   */
  LongSupplier passed(int instance, long from, long to, long count);

  /**
   * The number of the {@code count} arrivals that {@link #skip} skipped from {@code from} to {@code
   * last} which came until {@code to}, a time before {@code last}.
   */
  long countWithin(int instance, long from, long last, long count, long to);
}
