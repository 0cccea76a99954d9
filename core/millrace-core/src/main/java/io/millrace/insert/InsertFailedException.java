package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.internal.LogSafe;
import java.util.List;
import java.util.Objects;
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

  private InsertFailedException(
      String message, Throwable reason, List<?> rows, boolean outcomeUnknown, long committed) {
    super(LogSafe.line(message), reason);
    this.rows = rows;
    this.outcomeUnknown = outcomeUnknown;
    this.committed = committed;
  }

  /** The cause is the reason of the first unknown row; if there is none, of the first rejected. */
  private static <T> InsertFailedException of(
      List<InsertOutcome<T>> failed, long committed, String subject, String where) {
    Throwable unknown = null;
    Throwable rejected = null;
    for (InsertOutcome<T> outcome : failed) {
      if (outcome instanceof Unknown<T> row && unknown == null) {
        unknown = row.reason();
      } else if (outcome instanceof Rejected<T> row && rejected == null) {
        rejected = row.reason();
      }
    }
    Throwable reason = unknown != null ? unknown : Objects.requireNonNull(rejected);
    return new InsertFailedException(
        (unknown != null ? "it is not known whether " + subject : subject + " not")
            + (" written" + where + "; the cause is " + reason.getClass().getName()),
        reason,
        failed.stream().map(InsertOutcome::row).toList(),
        unknown != null,
        committed);
  }

  /** Creates the failure of rows of the group that begins with row {@code first} of a stream. */
  static <T> InsertFailedException ofGroup(
      List<InsertOutcome<T>> failed, long first, long committed) {
    return of(
        failed,
        committed,
        failed.size() + (failed.size() == 1 ? " row was" : " rows were"),
        " of the group that begins with row %d of the stream, after %d committed"
            .formatted(first, committed));
  }

  /** Creates the failure of the rows of a call of a {@link RowWriter}. */
  static <T> InsertFailedException ofCall(List<InsertOutcome<T>> outcomes) {
    int rows = outcomes.size();
    return of(outcomes, 0, rows == 1 ? "the row was" : "the " + rows + " rows were", "");
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
