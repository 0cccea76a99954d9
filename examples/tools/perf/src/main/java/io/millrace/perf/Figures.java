package io.millrace.perf;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run.
 *
 * @param mode how values were taken
 * @param label the mode with its settings
 * @param clients the number of concurrent clients
 * @param iterations the number of values to take
 * @param perTransaction the number of values that a transaction takes
 * @param application what the application did with each value
 * @param appLatencyMillis the application's time with each value
 * @param warmUp the results of the warm-up
 * @param taken the number of values that the clients took
 * @param duplicates the number of values that came twice
 * @param failed the number of iterations that ended with an error
 * @param errors the number of errors by their names
 * @param unfinished the number of clients in an iteration when the time was up
 * @param longestUnfinishedMillis the longest time that one of these had been in its iteration
 * @param millis how long the run took
 * @param valuesPerSecond values taken, by that time
 * @param iteration time of an iteration, as the guide measures it: taking the value, and the
 *     application's time; nanoseconds
 * @param taking time of taking the value alone; nanoseconds
 * @param first time of taking each client's first value of the measured part; nanoseconds
 * @param reserved the reservations; null if the mode reserves nothing
 * @param requests the number of requests that transactions sent during the run
 * @param aborted how many of them Spanner answered with an abort
 */
record Figures(
    Mode mode,
    String label,
    int clients,
    int iterations,
    int perTransaction,
    Application.Kind application,
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
    Latencies first,
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

  /** Whether the first values were those of a new client and a JVM that had not run the code. */
  boolean startedCold() {
    return warmUp.values() == 0;
  }

  /**
   * Whether another run did the same work in the mode to compare with.
   *
   * @param other may be any run
   */
  boolean comparesWith(Figures other) {
    return !mode.isComparison()
        && other.mode == mode.comparison()
        && other.clients == clients
        && other.perTransaction == perTransaction
        && other.application == application
        && other.appLatencyMillis == appLatencyMillis;
  }

  double requestsPerValue() {
    return taken == 0 ? 0 : (double) requests / taken;
  }
}
