package io.millrace.simulate;

/**
 * What a simulation showed.
 *
 * @param end how it ended
 * @param seconds how much time it covers
 * @param asked values that were asked for
 * @param issued those of them that were issued by the end
 * @param throughput values issued in a second
 * @param waited how many of those asked for had to wait, or did at the end
 * @param stallProbability their part of those asked for
 * @param addedLatency of each value issued, from request to issue
 * @param waits of each value issued that had to wait
 * @param longestLine the most that waited at one instance
 * @param reservations that were answered
 * @param reservationRate in a second
 * @param reservationTime of each, as its instance saw it
 * @param utilisation the part of the time in which a row's lock was held, over all rows
 * @param atRows reservations that waited for a lock or held one, on average
 * @param bufferedAtEnd values answered and not issued, over all instances
 * @param atRisk values that would be lost if an instance died at a random moment
 */
record Outcome(
    End end,
    double seconds,
    long asked,
    long issued,
    double throughput,
    long waited,
    double stallProbability,
    Times addedLatency,
    Times waits,
    long longestLine,
    long reservations,
    double reservationRate,
    Times reservationTime,
    double utilisation,
    double atRows,
    long bufferedAtEnd,
    double atRisk) {

  enum End {
    COMPLETE,
    /** More values waited than the simulator keeps: the rows cannot keep up. */
    OVERLOADED,
    /** So many had waited already that there was no point in going on. */
    HOPELESS
  }
}
