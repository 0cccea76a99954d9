package io.millrace.perf;

import org.jspecify.annotations.Nullable;

/**
 * The reservations of a run.
 *
 * @param reservations the number of reservations that obtained values
 * @param failed the number of reservations that ended with an error
 * @param values the number of values obtained
 * @param time the durations of reservations that obtained values, in nanoseconds
 * @param longestWait the largest number of reservations that a client had to wait for, including
 *     failed ones; null in modes whose values do not identify their reservation
 * @param waste values that were reserved and not issued to a client, when the clients had finished
 * @param givenBack how many of those the generator released when it was shut down
 */
record Reserved(
    long reservations,
    long failed,
    long values,
    Latencies time,
    @Nullable Long longestWait,
    long waste,
    long givenBack) {

  private static final int ENOUGH_FOR_A_PERCENTILE = 100;

  /** Whether there are 100 times or more. With fewer, the 99th percentile is the longest time. */
  boolean hasPercentiles() {
    return time.count() >= ENOUGH_FOR_A_PERCENTILE;
  }
}
