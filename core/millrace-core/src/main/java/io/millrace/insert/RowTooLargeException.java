package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import io.millrace.internal.LogSafe;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a single row, or the rows of one call of {@link RowWriter#writeAll}, exceed the
 * limits of a commit. Nothing is sent.
 */
public final class RowTooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** It need not be serializable, and is not in the message: its data may be secret. */
  private final transient @Nullable Object row;

  /**
   * Creates the failure.
   *
   * @param what the limited quantity: "cells", "bytes" or "numbers"
   * @param size how many the row has
   * @param limit how many a commit may have
   */
  public RowTooLargeException(String what, long size, long limit, Object row) {
    this("a commit has at most " + limit + " " + what + ", and a row has " + size, row);
  }

  /**
   * Creates the failure of rows that are written together.
   *
   * @param what the limited quantity: "rows", "cells", "bytes" or "numbers"
   * @param size how many the rows have in total
   * @param limit how many a commit may have
   * @param rows the rows, at least one; several are those of one call
   * @return the failure, with the first row
   */
  public static RowTooLargeException of(
      String what, long size, long limit, List<? extends PreparedRow<?>> rows) {
    Object first = rows.get(0).row();
    return rows.size() == 1
        ? new RowTooLargeException(what, size, limit, first)
        : ofCall(what, size, limit, first);
  }

  /** The rows of one call. */
  static RowTooLargeException ofCall(String what, long size, long limit, Object first) {
    return new RowTooLargeException(
        "a commit has at most " + limit + " " + what + ", and the rows of a call have " + size,
        first);
  }

  private RowTooLargeException(String message, Object row) {
    super(LogSafe.line(message));
    this.row = row;
  }

  /** {@return the row, or the first row of the call; null after deserialization} */
  public @Nullable Object row() {
    return row;
  }
}
