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

  /**
   * Creates the failure.
   *
   * @param subject which rows, with their verb
   * @param where where in the stream they are
   */
  private InsertFailedException(
      List<?> rows,
      boolean outcomeUnknown,
      long committed,
      String subject,
      String where,
      Throwable cause) {
    super(
        LogSafe.line(
            (outcomeUnknown ? "it is not known whether " + subject : subject + " not")
                + " written"
                + where
                + "; the cause is "
                + cause.getClass().getName()),
        cause);
    this.rows = List.copyOf(rows);
    this.outcomeUnknown = outcomeUnknown;
    this.committed = committed;
  }

  /**
   * Creates the failure of rows of a stream.
   *
   * @param failed the outcomes of the rows of a group that are not committed
   * @param first the position in the stream of the first row of the group
   * @param committed how many rows of the stream are committed
   */
  static <T> InsertFailedException ofGroup(
      List<InsertOutcome<T>> failed, long first, long committed) {
    return new InsertFailedException(
        failed.stream().map(InsertOutcome::row).toList(),
        isUnknown(failed),
        committed,
        failed.size() + (failed.size() == 1 ? " row was" : " rows were"),
        " of the group that begins with row "
            + first
            + " of the stream, after "
            + committed
            + " committed",
        reason(failed));
  }

  /**
   * Creates the failure of a call of a {@link RowWriter}.
   *
   * @param outcomes the outcomes of its rows, which are committed together
   */
  static <T> InsertFailedException ofCall(List<InsertOutcome<T>> outcomes) {
    return new InsertFailedException(
        outcomes.stream().map(InsertOutcome::row).toList(),
        isUnknown(outcomes),
        0,
        outcomes.size() == 1 ? "the row was" : "the " + outcomes.size() + " rows were",
        "",
        reason(outcomes));
  }

  private static boolean isUnknown(List<? extends InsertOutcome<?>> outcomes) {
    return outcomes.stream().anyMatch(Unknown.class::isInstance);
  }

  /** The reason of the first unknown row; if there is none, that of the first rejected one. */
  private static Throwable reason(List<? extends InsertOutcome<?>> outcomes) {
    Throwable rejected = null;
    for (InsertOutcome<?> outcome : outcomes) {
      if (outcome instanceof Unknown<?> row) {
        return row.reason();
      }
      if (outcome instanceof Rejected<?> row && rejected == null) {
        rejected = row.reason();
      }
    }
    return Objects.requireNonNull(rejected);
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
