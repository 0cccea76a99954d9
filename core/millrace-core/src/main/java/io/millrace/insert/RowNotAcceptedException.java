package io.millrace.insert;

import io.millrace.internal.ShownText;
import java.util.Objects;

/** A {@link RowWriter} did not try to write a row. It may be written again. */
public final class RowNotAcceptedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why a row was not accepted. */
  public enum Reason {
    /** As many rows waited as may wait. */
    FULL,
    /** The row waited for its transaction as long as it may wait. */
    TIMED_OUT,
    /** The writer is disposed. */
    DISPOSED
  }

  /** Why the row was not accepted. */
  private final Reason reason;

  RowNotAcceptedException(Reason reason, String message) {
    super(ShownText.line(message), null, false, false); // it comes when there is much to do
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * Returns why the row was not accepted.
   *
   * @return the reason
   */
  public Reason reason() {
    return reason;
  }
}
