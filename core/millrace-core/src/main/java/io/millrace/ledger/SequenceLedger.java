package io.millrace.ledger;

import io.millrace.internal.Pages;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the ledger of a store, and removes old entries. A store that writes a ledger implements
 * this; {@link SequenceAudit} answers questions from it.
 *
 * <p>Every {@code Mono} and {@code Flux} is cold: each subscription sends its own requests. No
 * method blocks. Results come on a thread of the database's client, which must not be blocked.
 * Errors are those of the store; a missing table is a {@link io.millrace.SequenceStoreException}.
 */
public interface SequenceLedger {

  /**
   * Reads some entries of a sequence, in the order of their first value and then of their id.
   *
   * @param sequence the name of the sequence
   * @param after the entry behind which to begin, or null to begin with the first
   * @param limit how many entries at most, 1 or more
   * @return the entries; fewer than {@code limit} if there are no more
   */
  Mono<List<LedgerEntry>> page(String sequence, @Nullable LedgerEntry after, int limit);

  /**
   * Finds the last entry with kept values that begins at a value or below.
   *
   * @param sequence the name of the sequence
   * @param value any number
   * @return the entry, or empty if there is none. If a counter was set back, several may begin with
   *     the same value; then it is any of these
   */
  Mono<LedgerEntry> lastKept(String sequence, long value);

  /**
   * Removes old entries of a sequence. Removes a thousand or so with each statement, so that no
   * transaction grows large. What was removed before a cancel or an error stays removed.
   *
   * @param sequence the name of the sequence
   * @param time entries of reservations before it are removed
   * @return how many were removed
   */
  Mono<Long> removeBefore(String sequence, Instant time);

  /**
   * Reads all entries of a sequence, in the order of their first value and then of their id. Reads
   * a page of a thousand entries when the subscriber has requested those before, and holds two
   * pages at most. Entries that are written meanwhile may or may not be among them.
   *
   * @param sequence the name of the sequence
   * @return the entries
   */
  default Flux<LedgerEntry> entries(String sequence) {
    return Pages.all(last -> page(sequence, last, Pages.SIZE));
  }
}
