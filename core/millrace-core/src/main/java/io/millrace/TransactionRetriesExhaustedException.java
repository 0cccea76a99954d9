package io.millrace;

import io.millrace.internal.LogSafe;
import java.time.Duration;

/**
 * Thrown when the database aborted a transaction because of conflicts in every attempt that the
 * limits allow. The transaction had no effect and may be run again. The cause is the last conflict.
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
   */
  public TransactionRetriesExhaustedException(
      int attempts, Duration elapsed, String limits, Throwable lastConflict) {
    super(
        LogSafe.line(
            "the transaction lost a conflict in "
                + attempts
                + (attempts == 1 ? " attempt" : " attempts")
                + " over "
                + elapsed.toMillis()
                + " ms; the limits are "
                + limits
                + ". Make the transaction shorter, or run fewer on the same rows at once;"
                + " the last conflict: "
                + lastConflict.getMessage()),
        lastConflict);
    this.attempts = attempts;
    this.elapsed = elapsed;
  }

  /** {@return how many attempts were aborted, 1 or more} */
  public int attempts() {
    return attempts;
  }

  /** {@return the time from the first attempt's start to the last attempt's end} */
  public Duration elapsed() {
    return elapsed;
  }
}
