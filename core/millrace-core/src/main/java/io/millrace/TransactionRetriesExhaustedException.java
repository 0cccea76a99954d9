package io.millrace;

import io.millrace.internal.ShownText;
import java.time.Duration;

/**
 * The database aborted a transaction, because of a conflict with another one, in every attempt that
 * the limits allow. Nothing of the transaction took effect, so it may be run again. The cause is
 * the last conflict.
 */
public final class TransactionRetriesExhaustedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** How many attempts were aborted. */
  private final int attempts;

  /** The time from the first attempt's start to the last attempt's end. */
  private final Duration elapsed;

  /**
   * Creates the failure.
   *
   * @param attempts how many attempts were aborted
   * @param elapsed the time from the first attempt's start to the last attempt's end
   * @param limits the limits, for the message
   * @param lastConflict the last conflict
   */
  public TransactionRetriesExhaustedException(
      int attempts, Duration elapsed, String limits, Throwable lastConflict) {
    super(
        ShownText.line(
            "the transaction lost a conflict in "
                + attempts
                + (attempts == 1 ? " attempt" : " attempts")
                + " over "
                + elapsed.toMillis()
                + " ms; the limits are "
                + limits
                + ". Make the transaction shorter, or have fewer of them touch the same rows at once;"
                + " the last conflict: "
                + lastConflict.getMessage()),
        lastConflict);
    this.attempts = attempts;
    this.elapsed = elapsed;
  }

  /**
   * Returns how many attempts were aborted.
   *
   * @return 1 or more
   */
  public int attempts() {
    return attempts;
  }

  /**
   * Returns how long the attempts took.
   *
   * @return the time from the first attempt's start to the last attempt's end
   */
  public Duration elapsed() {
    return elapsed;
  }
}
