package io.millrace.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a simulation showed.
 *
 * @param end how it ended
 * @param isOverloaded whether more was asked for than the rows and instances can bring, or ever
 *     more values waited
 * @param seconds how much time it covers
 * @param asked values that were asked for
 * @param issued those of them that were issued by the end
 * @param throughput values issued in a second
 * @param waited how many of those asked for had to wait, or did at the end
 * @param stallProbability their part of those asked for
 * @param addedLatency of each value asked for, from request to issue; one that still waited at the
 *     end counts with its wait until then
 * @param waits the same, of each value that had to wait
 * @param longestLine the most that waited at one instance
 * @param reservations that were answered
 * @param reservationRate in a second
 * @param reservationTime of each, as its instance saw it
 * @param utilisation the part of the time in which a row's lock was held, over all rows
 * @param atRows reservations that waited for a lock or held one, on average
 * @param bufferedAtEnd values answered and not issued, over all instances
 * @param atRisk values that would be lost if an instance died at a random moment
 * @param steps what the run cost, as in {@link Work}
 */
record Outcome(
    End end,
    boolean isOverloaded,
    double seconds,
    long asked,
    long issued,
    @JsonProperty("throughputPerSecond") double throughput,
    long waited,
    double stallProbability,
    Times addedLatency,
    Times waits,
    long longestLine,
    long reservations,
    @JsonProperty("reservationsPerSecond") double reservationRate,
    Times reservationTime,
    double utilisation,
    double atRows,
    long bufferedAtEnd,
    double atRisk,
    long steps) {

  enum End {
    COMPLETE,
    /** As many values waited at once as the simulator keeps. */
    FULL,
    /** It took as many steps as it might. */
    LONG,
    /** So many had waited already that there was no point in going on. */
    HOPELESS
  }

  /** Values that waited at the end. */
  long waiting() {
    return asked - issued;
  }

  /** Whether times of those who wait are lower bounds, as many waited on. */
  boolean isCutOff() {
    return isOverloaded || end != End.COMPLETE;
  }
}
