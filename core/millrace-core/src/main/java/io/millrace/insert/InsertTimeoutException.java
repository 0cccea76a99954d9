package io.millrace.insert;

import java.time.Duration;

/**
 * Thrown when the database did not answer within the pipeline's {@code transactionTimeout}, either
 * to an attempt at the transaction of a group or to a look-up of its rows.
 */
public final class InsertTimeoutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The limit that was exceeded. */
  private final Duration timeout;

  /**
   * Creates the failure.
   *
   * @param timeout the {@code transactionTimeout}
   */
  public InsertTimeoutException(Duration timeout) {
    super(
        "the database did not answer within the transactionTimeout of "
            + timeout
            + "; it is slow or cannot be reached, or the group waited for a lock or for a"
            + " connection of its pool");
    this.timeout = timeout;
  }

  /** {@return the {@code transactionTimeout} that was exceeded} */
  public Duration timeout() {
    return timeout;
  }
}
