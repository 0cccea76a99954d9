package io.millrace.perf;

/**
 * What a run reserved.
 *
 * @param reservations how many reservations were answered, with those of the warm-up
 * @param values how many values those obtained
 * @param time how long they took, in microseconds
 * @param longestWait the largest number of reservations that a client had to wait for; 0 in mode
 *     {@link Mode#NATIVE} and {@link Mode#STRIPED}, whose values do not tell
 * @param waste values reserved and not given to anybody, when the clients were through
 * @param givenBack how many of those the generator gave back when it was shut down
 */
record Reserved(
    long reservations, long values, Latencies time, long longestWait, long waste, long givenBack) {}
