package io.millrace.insert;

import io.millrace.internal.LogSafe;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when rows could not be written, or it is unknown whether they were: a group of a pipeline,
 * or the rows of one call of {@link RowWriter#write} or {@link RowWriter#writeAll}. In a pipeline,
 * every other row of the stream was either committed and emitted, or discarded and not written. The
 * message has counts and positions but no data of the rows; the cause says why. If several groups
 * failed before the stream ended, the others are {@linkplain #getSuppressed() suppressed}
 * exceptions of this type.
 */
public final class InsertFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The rows of the group; they need not be serializable. Null once deserialized. */
  private final transient @Nullable List<?> rows;

  /** Whether the rows may have been written. */
  private final boolean outcomeUnknown;

  /** How many rows of the stream were committed. */
  private final long committed;

  InsertFailedException(
      List<?> rows, long first, boolean outcomeUnknown, long committed, Throwable cause) {
    this(
        rows,
        outcomeUnknown,
        committed,
        (outcomeUnknown ? "it is not known whether " : "")
            + rows.size()
            + (rows.size() == 1 ? " row was " : " rows were ")
            + (outcomeUnknown ? "written" : "not written")
            + " of the group that begins with row "
            + first
            + " of the stream, after "
            + committed
            + " committed; the cause is "
            + cause.getClass().getName(),
        cause);
  }

  private InsertFailedException(
      List<?> rows, boolean outcomeUnknown, long committed, String message, Throwable cause) {
    super(LogSafe.line(message), cause);
    this.rows = List.copyOf(rows);
    this.outcomeUnknown = outcomeUnknown;
    this.committed = committed;
  }

  /** The failure of a call of a {@link RowWriter}. */
  static InsertFailedException ofCall(List<?> rows, boolean outcomeUnknown, Throwable cause) {
    String written = rows.size() == 1 ? "the row was " : "the " + rows.size() + " rows were ";
    return new InsertFailedException(
        rows,
        outcomeUnknown,
        0,
        (outcomeUnknown
                ? "it is not known whether " + written + "written"
                : written + "not written")
            + "; the cause is "
            + cause.getClass().getName(),
        cause);
  }

  /**
   * {@return the rows of the group, in the order of the source; unmodifiable, and empty after
   * deserialization}
   */
  public List<?> rows() {
    return rows == null ? List.of() : rows;
  }

  /**
   * Returns whether the rows may have been written.
   *
   * @return false if they were not written; true if the database's answer was lost and the outcome
   *     could not be determined
   */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /**
   * {@return the total number of rows of the stream that were committed, and emitted before this
   * error}
   */
  public long committed() {
    return committed;
  }
}
