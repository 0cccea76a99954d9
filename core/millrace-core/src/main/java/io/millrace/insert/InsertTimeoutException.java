package io.millrace.insert;

import java.time.Duration;

/**
 * The database gave no answer within the pipeline's {@code transactionTimeout}: to one attempt at
 * the transaction of a group, or to a look-up of its rows.
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
        "the database gave no answer within the transactionTimeout of "
            + timeout
            + "; it is slow or cannot be reached, or the group waited for a lock or for a"
            + " connection of its pool");
    this.timeout = timeout;
  }

  /**
   * Returns the limit that was exceeded.
   *
   * @return the {@code transactionTimeout}
   */
  public Duration timeout() {
    return timeout;
  }
}
