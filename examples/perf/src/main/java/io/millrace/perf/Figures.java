package io.millrace.perf;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run gave. Its names are those of the JSON.
 *
 * @param mode how values were taken
 * @param label the mode with its settings
 * @param clients how many clients at a time
 * @param iterations how many values they were to take
 * @param perTransaction how many values a transaction takes
 * @param batchSize values a block, 0 in modes without such an option
 * @param watermark values left at which the next block is reserved, 0 in modes without that option
 * @param appLatencyMillis what the application does with a value takes this long
 * @param warmUp what was done before
 * @param taken how many values they took
 * @param duplicates how many values came twice
 * @param failed how many iterations ended with an error
 * @param errors how many, by the name of the error
 * @param unfinished how many clients were at something when the time was up
 * @param longestUnfinishedMillis how long the first of those had been at it
 * @param millis how long the run took
 * @param valuesPerSecond values taken, by that time
 * @param iteration time of an iteration, as the guide measures it: taking the value, and the
 *     application's time; nanoseconds
 * @param taking time of taking the value alone; nanoseconds
 * @param reserved what was reserved for it; null in the application's transaction, where nothing is
 * @param requests how many requests of transactions went out during the run
 * @param aborted how many of them Spanner answered with an abort
 */
record Figures(
    Mode mode,
    String label,
    int clients,
    int iterations,
    int perTransaction,
    long batchSize,
    long watermark,
    double appLatencyMillis,
    WarmUp warmUp,
    int taken,
    int duplicates,
    int failed,
    Map<String, Integer> errors,
    int unfinished,
    double longestUnfinishedMillis,
    long millis,
    double valuesPerSecond,
    Latencies iteration,
    Latencies taking,
    @Nullable Reserved reserved,
    long requests,
    long aborted) {

  /** Whether the time was up before all iterations were done. */
  boolean outOfTime() {
    return taken + failed < iterations;
  }

  /** Whether values were taken, none twice, and no iteration failed. */
  boolean sound() {
    return taken > 0 && duplicates == 0 && failed == 0;
  }

  double requestsPerValue() {
    return taken == 0 ? 0 : (double) requests / taken;
  }
}
