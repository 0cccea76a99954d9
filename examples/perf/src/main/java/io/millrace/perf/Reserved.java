package io.millrace.perf;

import org.jspecify.annotations.Nullable;

/**
 * What a run reserved.
 *
 * @param reservations how many reservations gave values
 * @param failed how many ended with an error
 * @param values how many values were obtained
 * @param time how long those took that gave values, in nanoseconds
 * @param longestWait the largest number of reservations that a client had to wait for, with those
 *     that failed; null in modes whose values do not tell
 * @param waste values reserved and not given to anybody, when the clients were through
 * @param givenBack how many of those the generator gave back when it was shut down
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

  /** Of fewer than 100 times, the 99 percentile is the longest, and is called that. */
  boolean many() {
    return time.count() >= ENOUGH_FOR_A_PERCENTILE;
  }
}
