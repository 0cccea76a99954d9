package io.millrace.r2dbc;

import java.time.Duration;

/**
 * A transaction of a store lost a conflict with another one in every attempt that its limits allow.
 * Nothing of it took effect, so it may be run again. The cause is the last conflict.
 */
public final class TransactionRetriesExhaustedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** How many attempts lost. */
  private final int attempts;

  /** The time from the first attempt's start to the last attempt's end. */
  private final Duration elapsed;

  TransactionRetriesExhaustedException(
      int attempts, Duration elapsed, Conflicts limits, Throwable lastConflict) {
    super(
        "the transaction lost a conflict in "
            + attempts
            + (attempts == 1 ? " attempt" : " attempts")
            + " over "
            + elapsed.toMillis()
            + " ms; the limits are maxAttempts "
            + limits.maxAttempts()
            + " and maxRetryTime "
            + limits.maxRetryTime()
            + ". Have fewer transactions touch the same rows at once; the last conflict: "
            + lastConflict.getMessage(),
        lastConflict);
    this.attempts = attempts;
    this.elapsed = elapsed;
  }

  /**
   * Returns how many attempts lost.
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
