package io.millrace.striped;

/** How a {@link StripedSequenceStore} chooses the stripe of a reservation. */
public enum StripeChoice {

  /**
   * Takes two stripes at random and prefers the one whose recent reservations in this process were
   * faster and failed less. If both take many milliseconds, a stripe that takes twice as long as
   * the other is chosen about one time in five. One that takes ten times as long is chosen about
   * one time in a hundred. (It is still chosen sometimes: otherwise many processes would all go to
   * the same better stripe together.) So a stripe that is slow or fails is left alone for some
   * seconds and then tried again.
   *
   * <p>Measurements fade within seconds. In a process that makes fewer reservations a second than
   * it has stripes, most measurements have faded. Then, of two stripes, the one that was not used
   * for longer is more likely to be chosen.
   *
   * <p>For stripes that differ, or that other work may slow down.
   */
  BETTER_OF_TWO,

  /**
   * Takes one stripe after the other, from a random one on, and ignores latency and failures. For
   * stripes that are alike.
   */
  ROUND_ROBIN
}
