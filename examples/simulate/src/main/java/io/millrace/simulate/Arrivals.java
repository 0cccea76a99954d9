package io.millrace.simulate;

import java.util.function.LongSupplier;

/**
 * When each instance is asked for its next values. Times are nanoseconds. An instance's time only
 * moves on: what was skipped or counted is in the past.
 */
interface Arrivals {

  /** Passes {@code count} arrivals, 1 or more, and returns the time of the last of them. */
  long skip(int instance, long from, long count);

  /** Passes all arrivals after {@code from} until {@code to}, inclusive, and returns how many. */
  long count(int instance, long from, long to);

  /**
   * The times of the arrivals that {@link #count} has just passed, the last one first. No more may
   * be asked for than there were.
   */
  LongSupplier passed(int instance, long from, long to, long count);

  /**
   * How many of the {@code count} arrivals that {@link #skip} passed from {@code from} to {@code
   * last} were there by {@code to}, which is before {@code last}.
   */
  long countWithin(int instance, long from, long last, long count, long to);
}
