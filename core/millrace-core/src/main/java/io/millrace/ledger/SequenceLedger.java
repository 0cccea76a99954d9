package io.millrace.ledger;

import io.millrace.internal.Pages;
import java.time.Instant;
import java.util.List;
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
   * @param sequence the name of the sequence
   * @param after the last entry of the page before, or null for the first page
   * @param limit the largest number of entries, 1 or more
   * @return the entries; fewer than {@code limit} if there are no more
   */
  Mono<List<LedgerEntry>> page(String sequence, @Nullable LedgerEntry after, int limit);

  /**
   * Finds the last entry with kept values whose first value is at most a value.
   *
   * @param sequence the name of the sequence
   * @param value any number
   * @return the entry, or empty if there is none. If a counter was set back, several entries may
   *     have the same first value; then it is any of these
   */
  Mono<LedgerEntry> lastKept(String sequence, long value);

  /**
   * Removes old entries of a sequence, about a thousand with each statement to keep transactions
   * small. Entries removed before a cancellation or an error stay removed.
   *
   * @param sequence the name of the sequence
   * @param time entries of reservations before it are removed
   * @return the number of entries removed
   */
  Mono<Long> removeBefore(String sequence, Instant time);

  /**
   * Reads all entries of a sequence, ordered by first value and then by id. Entries are read in
   * pages of 1,000 as the subscriber requests them, and at most two pages are held. Entries written
   * meanwhile may or may not be among them.
   *
   * @param sequence the name of the sequence
   * @return the entries
   */
  default Flux<LedgerEntry> entries(String sequence) {
    return Pages.all(last -> page(sequence, last, Pages.SIZE));
  }
}
