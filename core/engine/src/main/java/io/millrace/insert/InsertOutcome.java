package io.millrace.insert;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of one row: {@link Committed}, {@link Rejected} or {@link Unknown}.
 *
 * @param <T> the type of the rows
 */
public sealed interface InsertOutcome<T> {

  /**
   * Returns the row.
   *
   * @return the row as it was written, or was to be written
   */
  T row();

  /**
   * The row is in the database.
   *
   * @param <T> the type of the rows
   */
  final class Committed<T> implements InsertOutcome<T> {

    private final T row;
    private final @Nullable Instant timestamp;

    /**
     * Creates the outcome.
     *
     * @param row the row as it was written
     * @param timestamp when it was committed, or null if that is not known
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
     * Returns when the database committed the row, by the database's clock.
     *
     * @return the commit timestamp; empty if the database gives none, or if its answer was lost and
     *     the row was found written
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
   * The row was not written, for a reason that lies with the row or with its group.
   *
   * @param row the row
   * @param reason why: the database's answer, {@link RowTooLargeException}, or what was thrown when
   *     the row was prepared
   * @param <T> the type of the rows
   */
  record Rejected<T>(T row, Throwable reason) implements InsertOutcome<T> {

    /**
     * Creates the outcome.
     *
     * @param row the row
     * @param reason why it was not written
     */
    public Rejected {
      Objects.requireNonNull(row, "row");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * The database's answer was lost, and it could not be found out whether the row was written.
   *
   * @param row the row, which is in the database or is not
   * @param reason what happened to the answer
   * @param <T> the type of the rows
   */
  record Unknown<T>(T row, Throwable reason) implements InsertOutcome<T> {

    /**
     * Creates the outcome.
     *
     * @param row the row
     * @param reason what happened to the answer
     */
    public Unknown {
      Objects.requireNonNull(row, "row");
      Objects.requireNonNull(reason, "reason");
    }
  }
}
