package io.millrace.ledger;

import java.time.Instant;
import java.util.Objects;

/**
 * One reservation in the ledger: a process reserved {@code size} values, starting with {@code
 * first}, released the last {@code released} of them, and kept the others.
 *
 * @param sequence the name of the sequence
 * @param first the first value
 * @param id a random number that distinguishes entries with the same first value, which exist if
 *     all values of a block were released
 * @param size the number of values reserved, 1 or more
 * @param released how many of them, from the end, were released; 0 to {@code size}
 * @param holder the process that reserved the values
 * @param reservedAt the time of the commit on Spanner, elsewhere the time of the statement by the
 *     database's clock
 */
public record LedgerEntry(
    String sequence,
    long first,
    long id,
    long size,
    long released,
    Holder holder,
    Instant reservedAt) {

  /**
   * Checks the numbers.
   *
   * @param sequence the name of the sequence
   * @param first the first value
   * @param id a random number
   * @param size the number of values reserved
   * @param released how many of them were released
   * @param holder the process
   * @param reservedAt the time
   * @throws IllegalArgumentException if {@code size} is below 1, or {@code released} is not from 0
   *     to {@code size}
   */
  public LedgerEntry {
    Objects.requireNonNull(sequence, "sequence");
    Objects.requireNonNull(holder, "holder");
    Objects.requireNonNull(reservedAt, "reservedAt");
    if (size < 1 || released < 0 || released > size) {
      throw new IllegalArgumentException(
          "an entry of a ledger has at least 1 value, of which none to all are released; size was "
              + size
              + ", released was "
              + released);
    }
  }

  /** {@return how many values were not released, 0 to {@code size}} */
  public long kept() {
    return size - released;
  }

  /** {@return the last value that was not released; {@code first - 1} if all were} */
  public long lastKept() {
    return first + kept() - 1;
  }

  /**
   * Returns whether the holder reserved a value and did not release it.
   *
   * @param value any number
   * @return true if the value was kept
   */
  public boolean keeps(long value) {
    return value >= first && value <= lastKept();
  }
}
