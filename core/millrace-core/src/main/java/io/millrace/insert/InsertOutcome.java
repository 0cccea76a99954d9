package io.millrace.insert;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outcome of one row: {@link Committed}, {@link Rejected} or {@link Unknown}. */
public sealed interface InsertOutcome<T> {

  /** {@return the row as it was, or would have been, written} */
  T row();

  /** The row is in the database. */
  final class Committed<T> implements InsertOutcome<T> {

    private final T row;
    private final @Nullable Instant timestamp;

    /**
     * Creates the outcome.
     *
     * @param row the row as it was written
     * @param timestamp the commit timestamp, or null if unknown
     */
    public Committed(T row, @Nullable Instant timestamp) {
      this.row = Objects.requireNonNull(row, "row");
      this.timestamp = timestamp;
    }

    @Override
    public T row() {
      return row;
    }

    /**
     * Returns the commit timestamp, by the database's clock.
     *
     * @return the timestamp; empty if the database reports none, or if its answer was lost and the
     *     row was found in the database
     */
    public Optional<Instant> timestamp() {
      return Optional.ofNullable(timestamp);
    }

    @Override
    public String toString() {
      return "Committed[" + row + (timestamp == null ? "" : " at " + timestamp) + "]";
    }
  }

  /**
   * The row was not written, because of the row itself or because of its group.
   *
   * @param row the row
   * @param reason why it was not written: the database's error, {@link RowTooLargeException}, or
   *     what was thrown when the row was prepared
   */
  record Rejected<T>(T row, Throwable reason) implements InsertOutcome<T> {

    /** Creates the outcome. */
    public Rejected {
      Objects.requireNonNull(row, "row");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * The database's answer was lost, and it is unknown whether the row was written.
   *
   * @param row the row, which may or may not be in the database
   * @param reason the failure of the commit, or of the look-up that followed
   */
  record Unknown<T>(T row, Throwable reason) implements InsertOutcome<T> {

    /** Creates the outcome. */
    public Unknown {
      Objects.requireNonNull(row, "row");
      Objects.requireNonNull(reason, "reason");
    }
  }
}
