package io.millrace.insert;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a single row, or the rows of one call of {@link RowWriter#writeAll}, exceed the
 * limits of a commit. Nothing is sent.
 */
public final class RowTooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** It need not be serializable, and is not in the message: its data may be secret. */
  private final transient @Nullable Object row;

  private RowTooLargeException(String message, Object row) {
    super(LogSafe.line(message));
    this.row = row;
  }

  /**
   * Checks rows that are written together.
   *
   * @param what the limited quantity: "rows", "cells", "bytes" or "numbers"
   * @param size how many the rows have in total
   * @param limit how many a commit may have
   * @param rows the number of rows; several are those of one call
   * @param first the first row
   * @throws RowTooLargeException if {@code size} is above {@code limit}
   */
  public static void requireWithin(String what, long size, long limit, int rows, Object first) {
    if (size > limit) {
      String subject = rows == 1 ? "a row has " : "the rows of a call have ";
      throw new RowTooLargeException(
          "a commit has at most " + limit + " " + what + ", and " + subject + size, first);
    }
  }

  /** {@return the row, or the first row of the call; null after deserialization} */
  public @Nullable Object row() {
    return row;
  }
}
