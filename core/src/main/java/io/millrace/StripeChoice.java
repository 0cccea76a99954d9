package io.millrace;

/** How a {@link StripedSequenceStore} chooses the stripe of a reservation. */
public enum StripeChoice {

  /**
   * Of two stripes taken at random, the one where reservations took less time and failed less,
   * lately and in this process. A stripe that is slow, or fails, is left alone for some seconds and
   * then tried again. What was measured fades within seconds, too: in a process that makes fewer
   * reservations a second than it has stripes, most costs have faded, and of two stripes it takes
   * the one it has not used for longer.
   *
   * <p>For stripes that are not alike, or that something else may hold up. Many processes that keep
   * few stripes busy all see the same one do better, and go there together: simulated with 40
   * processes and 2 stripes busy four fifths of the time, half of the reservations took more than
   * 50 ms, and 16 ms in turn. The more stripes, the less of that.
   */
  BETTER_OF_TWO,

  /**
   * One after the other, from a random one on. Latency and failures are not looked at. For stripes
   * that are alike, the more so where many processes share few of them.
   */
  ROUND_ROBIN
}
