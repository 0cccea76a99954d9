package io.millrace.perf;

import io.millrace.SequenceGeneratorSnapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run.
 *
 * @param warmUp the number of values taken in the warm-up, which no other figure includes
 * @param taken the number of values that the clients took
 * @param duplicates the number of values that came twice
 * @param errors the number of iterations that failed, by the names of the errors
 * @param unfinished the number of clients in an iteration when the time was up
 * @param longestUnfinished the longest time that one of these had been in its iteration, in
 *     nanoseconds
 * @param millis how long the run took
 * @param iteration taking a value, and the application's time, as the guide measures it
 * @param taking taking a value
 * @param first taking each client's first value
 * @param generator its state at the end, with the warm-up; null if there is no generator
 */
record Figures(
    Workload workload,
    int warmUp,
    int taken,
    int duplicates,
    Map<String, Integer> errors,
    int unfinished,
    long longestUnfinished,
    long millis,
    Latencies iteration,
    Latencies taking,
    Latencies first,
    @Nullable SequenceGeneratorSnapshot generator) {

  static Figures of(
      Workload workload,
      Tally tally,
      int warmUp,
      long millis,
      @Nullable SequenceGeneratorSnapshot generator) {
    return new Figures(
        workload,
        warmUp,
        tally.taken(),
        tally.duplicates(),
        tally.errors(),
        tally.unfinished(),
        tally.longestUnfinished(),
        millis,
        tally.iteration(),
        tally.taking(),
        tally.first(),
        generator);
  }

  int failed() {
    return errors.values().stream().mapToInt(Integer::intValue).sum();
  }

  double perSecond() {
    return taken * 1000.0 / millis;
  }

  /** Whether the time was up before all iterations were done. */
  boolean outOfTime() {
    return taken + failed() < workload.iterations();
  }

  /** Whether values were taken, none twice, and no iteration failed. */
  boolean sound() {
    return taken > 0 && duplicates == 0 && failed() == 0;
  }
}
