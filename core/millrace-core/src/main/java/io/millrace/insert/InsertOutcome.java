package io.millrace.insert;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one row: {@link Committed}, {@link Rejected} or {@link Unknown}.
 *
 * @param <T> the type of the rows
 */
public sealed interface InsertOutcome<T> {

  /**
   * Returns the row.
   *
   * @return the row as it was written, or should have been written
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
     * @param timestamp when it was committed, or null if unknown
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
     * @return the commit timestamp; empty if the database reports none, or if its answer was lost
     *     and the row was found in the database
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
   * @param <T> the type of the rows
   */
  final class Rejected<T> implements InsertOutcome<T> {

    private final T row;
    private final Throwable reason;

    /**
     * Creates the outcome.
     *
     * @param row the row
     * @param reason why it was not written
     */
    public Rejected(T row, Throwable reason) {
      this.row = Objects.requireNonNull(row, "row");
      this.reason = Objects.requireNonNull(reason, "reason");
    }

    @Override
    public T row() {
      return row;
    }

    /**
     * Returns why the row was not written.
     *
     * @return the database's answer, {@link RowTooLargeException}, or what was thrown when the row
     *     was prepared
     */
    public Throwable reason() {
      return reason;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Rejected<?> that
          && row.equals(that.row)
          && reason.equals(that.reason);
    }

    @Override
    public int hashCode() {
      return Objects.hash(row, reason);
    }

    @Override
    public String toString() {
      return "Rejected[row=" + row + ", reason=" + reason + "]";
    }
  }

  /**
   * The database's answer was lost, and it is not known whether the row was written.
   *
   * @param <T> the type of the rows
   */
  final class Unknown<T> implements InsertOutcome<T> {

    private final T row;
    private final Throwable reason;

    /**
     * Creates the outcome.
     *
     * @param row the row, which is in the database or is not
     * @param reason what happened to the answer
     */
    public Unknown(T row, Throwable reason) {
      this.row = Objects.requireNonNull(row, "row");
      this.reason = Objects.requireNonNull(reason, "reason");
    }

    @Override
    public T row() {
      return row;
    }

    /**
     * Returns what happened to the answer.
     *
     * @return the failure of the commit, or of the look-up that followed
     */
    public Throwable reason() {
      return reason;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Unknown<?> that && row.equals(that.row) && reason.equals(that.reason);
    }

    @Override
    public int hashCode() {
      return Objects.hash(row, reason);
    }

    @Override
    public String toString() {
      return "Unknown[row=" + row + ", reason=" + reason + "]";
    }
  }
}
