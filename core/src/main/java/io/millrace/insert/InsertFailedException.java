package io.millrace.insert;

import java.util.List;

/**
 * A group of rows could not be written, or it is not known whether it was. Every other row of the
 * stream was either emitted, since it is committed, or discarded and not written. Where several
 * groups failed before the stream ended, the others are {@linkplain #getSuppressed() suppressed}
 * exceptions of this type.
 */
public final class InsertFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<?> rows;

  /** Whether the rows may have been written. */
  private final boolean outcomeUnknown;

  /** How many rows of the stream were committed. */
  private final long committed;

  InsertFailedException(List<?> rows, boolean outcomeUnknown, long committed, Throwable cause) {
    super(
        (outcomeUnknown ? "it is not known whether " : "")
            + rows.size()
            + (rows.size() == 1 ? " row was " : " rows were ")
            + (outcomeUnknown ? "written" : "not written")
            + ", after "
            + committed
            + " committed: "
            + cause.getMessage(),
        cause);
    this.rows = List.copyOf(rows);
    this.outcomeUnknown = outcomeUnknown;
    this.committed = committed;
  }

  /**
   * Returns the rows of the group, in the order of the source.
   *
   * @return an unmodifiable list of the stream's elements; null in an exception that was
   *     deserialized
   */
  public List<?> rows() {
    return rows;
  }

  /**
   * Tells whether the rows may have been written.
   *
   * @return false if they were not; true if the database's answer was lost and it could not be
   *     found out
   */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /**
   * Returns how many rows of the stream were committed in all. They were emitted before this error.
   *
   * @return 0 or more
   */
  public long committed() {
    return committed;
  }
}
