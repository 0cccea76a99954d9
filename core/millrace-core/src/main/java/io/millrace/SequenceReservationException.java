package io.millrace;

import io.millrace.internal.LogSafe;

/**
 * Thrown when a reservation failed in all attempts that the generator's {@code backoff} allows. The
 * cause is the latest failure. A later subscriber starts a new round of attempts after the backoff
 * delay.
 */
public final class SequenceReservationException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** How many attempts were made. */
  private final int attempts;

  /**
   * Creates the failure.
   *
   * @param attempts how many attempts were made; 0 if the generator's scheduler rejected the first
   * @param cause the latest failure
   */
  public SequenceReservationException(String sequence, int attempts, Throwable cause) {
    super(
        sequence,
        "no values of sequence "
            + LogSafe.quote(sequence)
            + " could be reserved in "
            + attempts
            + (attempts == 1 ? " attempt" : " attempts")
            + "; the latest failure: "
            + reason(cause),
        cause);
    this.attempts = attempts;
  }

  /** {@return how many attempts were made; 0 if the generator's scheduler rejected the first} */
  public int attempts() {
    return attempts;
  }

  @Override
  public boolean isPermanent() {
    return false;
  }
}
