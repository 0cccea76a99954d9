package io.millrace.striped;

/** How a {@link StripedSequenceStore} chooses the stripe of a reservation. */
public enum StripeChoice {

  /**
   * Picks two stripes at random and prefers the one whose recent reservations in this process were
   * faster and failed less often. If both take many milliseconds, a stripe that takes twice as long
   * as the other is chosen about one time in five, and one that takes ten times as long about one
   * time in a hundred. (If it were never chosen, many processes would all move to the same better
   * stripe at once.) A stripe that is slow or fails is thus avoided for some seconds and then tried
   * again.
   *
   * <p>Measurements fade within seconds. In a process that makes fewer reservations a second than
   * it has stripes, most have faded; then, of two stripes, the one that was unused for longer is
   * more likely to be chosen.
   *
   * <p>Suited to stripes that differ, or that other work may slow down.
   */
  BETTER_OF_TWO,

  /**
   * Uses the stripes in turn, beginning with a random one, regardless of latency and failures.
   * Suited to stripes that are alike.
   */
  ROUND_ROBIN
}
