package io.millrace.spanner;

import io.millrace.internal.LogSafe;

/**
 * Thrown when the commit of a transaction was sent, and it is unknown whether it took effect. The
 * transaction was not retried. To find out, read what it would have written. The cause is the
 * failure of the commit.
 */
public final class CommitOutcomeUnknownException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param cause the failure of the commit
   */
  public CommitOutcomeUnknownException(Throwable cause) {
    super(
        "the commit was sent and it is not known whether it took effect ("
            + LogSafe.line(String.valueOf(cause.getMessage()))
            + "); read what it would have written before running the transaction again",
        cause);
  }
}
