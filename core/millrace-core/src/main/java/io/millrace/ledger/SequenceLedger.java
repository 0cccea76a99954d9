package io.millrace.ledger;

import io.millrace.internal.Pages;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the ledger of a store, and removes old entries. Implemented by stores that write a ledger,
 * and evaluated by {@link SequenceAudit}.
 *
 * <p>Every {@code Mono} and {@code Flux} is cold: each subscription sends its own requests. No
 * method blocks. Results are delivered on a thread of the database's client, which must not be
 * blocked. Errors are those of the store; a missing table is a {@link
 * io.millrace.SequenceStoreException}.
 */
public interface SequenceLedger {

  /**
   * Reads a page of the entries of a sequence, ordered by first value and then by id.
   *
   * @param after the last entry of the page before, or null for the first page
   * @param limit the largest number of entries, 1 or more
   * @return the entries; fewer than {@code limit} if there are no more
   */
  Mono<List<Entry>> page(String sequence, @Nullable Entry after, int limit);

  /**
   * Finds the last entry with kept values whose first value is at most a value.
   *
   * @param value any number
   * @return the entry, or empty if there is none. If a counter was set back, several entries may
   *     have the same first value; then it is any of these
   */
  Mono<Entry> lastKept(String sequence, long value);

  /**
   * Removes old entries of a sequence, about a thousand with each statement to keep transactions
   * small. Entries removed before a cancellation or an error stay removed.
   *
   * @param time entries of reservations before it are removed
   * @return the number of entries removed
   */
  Mono<Long> removeBefore(String sequence, Instant time);

  /**
   * Reads all entries of a sequence, ordered by first value and then by id. Entries are read in
   * pages of 1,000 as the subscriber requests them, and at most two pages are held. Entries written
   * meanwhile may or may not be among them.
   */
  default Flux<Entry> entries(String sequence) {
    return Pages.all(last -> page(sequence, last, Pages.SIZE));
  }

  /**
   * One reservation in the ledger: a process reserved {@code size} values, starting with {@code
   * first}, released the last {@code released} of them, and kept the others.
   *
   * @param first the first value
   * @param id a random number that distinguishes entries with the same first value, which exist if
   *     all values of a block were released
   * @param size the number of values reserved, 1 or more
   * @param released how many of them, from the end, were released; 0 to {@code size}
   * @param holder the process that reserved the values
   * @param reservedAt the time of the commit on Spanner, elsewhere the time of the statement by the
   *     database's clock
   */
  record Entry(
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
     * @throws IllegalArgumentException if {@code size} is below 1, or {@code released} is not from
     *     0 to {@code size}
     */
    public Entry {
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
     */
    public boolean keeps(long value) {
      return value >= first && value <= lastKept();
    }
  }
}
