package io.millrace.spanner;

import java.time.Duration;

/**
 * A transaction was aborted by Spanner in every attempt that its {@link SpannerTransactionOptions}
 * allow. Nothing of it took effect, so it may be run again. The cause is the last abort.
 */
public final class TransactionRetriesExhaustedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** How many attempts were aborted. */
  private final int attempts;

  /** The time from the first attempt's start to the last attempt's abort. */
  private final Duration elapsed;

  /**
   * Creates the failure.
   *
   * @param attempts how many attempts were aborted
   * @param elapsed the time from the first attempt's start to the last attempt's abort
   * @param options the limits
   * @param lastAbort the last abort
   */
  TransactionRetriesExhaustedException(
      int attempts, Duration elapsed, SpannerTransactionOptions options, Throwable lastAbort) {
    super(
        "Spanner aborted the transaction in "
            + attempts
            + (attempts == 1 ? " attempt" : " attempts")
            + " over "
            + elapsed.toMillis()
            + " ms; the limits are maxAttempts "
            + options.maxAttempts()
            + " and maxRetryTime "
            + options.maxRetryTime()
            + ". Make the transaction shorter, or have fewer of them touch the same rows at once",
        lastAbort);
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
   * @return the time from the first attempt's start to the last attempt's abort
   */
  public Duration elapsed() {
    return elapsed;
  }
}
