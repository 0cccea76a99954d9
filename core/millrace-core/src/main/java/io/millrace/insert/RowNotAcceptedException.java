package io.millrace.insert;

import io.millrace.internal.LogSafe;
import java.util.Objects;

/** Thrown when a {@link RowWriter} did not try to write a row. The call may be repeated. */
public final class RowNotAcceptedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why a row was not accepted. */
  public enum Reason {
    /** As many rows as allowed were already waiting. */
    FULL,
    /** The row waited too long for its transaction. */
    TIMED_OUT,
    /** The writer is disposed. */
    DISPOSED
  }

  /** Why the row was not accepted. */
  private final Reason reason;

  RowNotAcceptedException(Reason reason, String message) {
    super(LogSafe.line(message), null, false, false); // it comes when there is much to do
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /** {@return why the row was not accepted} */
  public Reason reason() {
    return reason;
  }
}
