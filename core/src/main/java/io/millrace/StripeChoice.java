package io.millrace;

/** How a {@link StripedSequenceStore} chooses the stripe of a reservation. */
public enum StripeChoice {

  /**
   * Of two stripes taken at random, the one where reservations took less time and failed less,
   * lately and in this process. A stripe that is slow, or fails, is left alone for some seconds and
   * then tried again. What was measured is as good as forgotten within seconds, too: a process that
   * makes fewer reservations a second than it has stripes chooses by chance.
   */
  BETTER_OF_TWO,

  /** One after the other, from a random one on. Latency and failures are not looked at. */
  ROUND_ROBIN
}
