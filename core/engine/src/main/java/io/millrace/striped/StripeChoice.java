package io.millrace.striped;

/** How a {@link StripedSequenceStore} chooses the stripe of a reservation. */
public enum StripeChoice {

  /**
   * Of two stripes taken at random, rather the one where reservations took less time and failed
   * less, lately and in this process: of the two, one that takes twice as long is chosen about one
   * time in five, ten times as long one time in a hundred, if both take many milliseconds. (Not
   * never: many processes see the same stripe do better, and would all go there together.) A stripe
   * that is slow, or fails, is so left alone for some seconds and then tried again. What was
   * measured fades within seconds, too: in a process that makes fewer reservations a second than it
   * has stripes, most costs have faded, and of two stripes the one it has not used for longer is
   * likelier.
   *
   * <p>For stripes that are not alike, or that something else may hold up.
   */
  BETTER_OF_TWO,

  /**
   * One after the other, from a random one on. Latency and failures are not looked at. For stripes
   * that are alike.
   */
  ROUND_ROBIN
}
