package io.millrace.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The result of a simulation.
 *
 * @param end how the run ended
 * @param isOverloaded whether the rate exceeds what the rows and instances can bring, or the number
 *     of waiting values kept rising
 * @param seconds the simulated time
 * @param asked the number of values asked for
 * @param issued how many of them were issued by the end
 * @param throughput values issued per second
 * @param waited how many of the values asked for had to wait, including those waiting at the end
 * @param stallProbability the part of the values asked for that waited
 * @param addedLatency the time from request to issue of each value asked for; a value that waits at
 *     the end counts with its wait until then
 * @param waits the same, only for values that had to wait
 * @param longestLine the most values that waited at one instance
 * @param reservations the number of answered reservations
 * @param reservationRate answered reservations per second
 * @param reservationTime the duration of each reservation, as its instance saw it
 * @param utilisation the part of the time in which a row's lock was held, over all rows
 * @param atRows the average number of reservations that waited for a lock or held one
 * @param bufferedAtEnd values answered and not issued, over all instances
 * @param atRisk values that would be lost if an instance died at a random moment
 * @param steps the cost of the run, in the steps of {@link Work}
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
    /** More values waited at once than the simulator keeps. */
    FULL,
    /** The run took more steps than allowed. */
    LONG,
    /** So many values had waited that the run could not reach the goal any more. */
    HOPELESS
  }

  /** The number of values that waited at the end. */
  long waiting() {
    return asked - issued;
  }

  /** Whether waiting times are only lower bounds, because many values still waited at the end. */
  boolean isCutOff() {
    return isOverloaded || end != End.COMPLETE;
  }
}
