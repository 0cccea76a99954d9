package io.millrace.ledger;

import java.time.Instant;
import java.util.Objects;

/**
 * One reservation in the ledger: the values from {@code first} on that a process reserved. Of these
 * it gave back the last {@code released} ones, and kept the others. The constructor refuses numbers
 * out of their range with an {@link IllegalArgumentException}.
 *
 * @param sequence the name of the sequence
 * @param first the first value
 * @param id a random number. It distinguishes entries that begin with the same value, which exist
 *     after all values of a block were given back
 * @param size how many values were reserved, 1 or more
 * @param released how many of them, from the end, were given back; 0 to {@code size}
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
   * @param size how many values were reserved
   * @param released how many of them were given back
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

  /**
   * Returns how many values were not given back.
   *
   * @return 0 to {@code size}
   */
  public long kept() {
    return size - released;
  }

  /**
   * Returns the last value that was not given back.
   *
   * @return {@code first - 1} if all were given back
   */
  public long lastKept() {
    return first + kept() - 1;
  }

  /**
   * Tells whether the holder reserved a value and did not give it back.
   *
   * @param value any number
   * @return true if the value is among those kept
   */
  public boolean keeps(long value) {
    return value >= first && value <= lastKept();
  }
}
