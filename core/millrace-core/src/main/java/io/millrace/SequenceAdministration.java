package io.millrace;

import io.millrace.ledger.SequenceAudit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store whose counters can also be listed, set and dropped: what a tool or a migration needs, and
 * a generator does not. The stores of this project that keep their counters in a table implement
 * it, and so does the one in memory.
 *
 * <p>What {@link SequenceStore} says of requests is true here, too: every {@code Mono} and {@code
 * Flux} is cold, no method blocks, and a request that lost a conflict with another transaction is
 * sent again.
 *
 * <p>{@code io.millrace.test.contract.SequenceAdministrationContract}, in millrace-test, checks
 * this.
 */
public interface SequenceAdministration extends SequenceStore {

  /**
   * Lists all counters of the store, in the order of their names as the database compares them.
   * Stripes, and the records of a striped sequence, are counters of their own. A database is read
   * in pages of a thousand rows: one when the subscriber has requested those before, and two at
   * most are held. Each page is read at its own time, so counters that are created or dropped
   * meanwhile may or may not be among them.
   *
   * @return the counters. Error: {@link IllegalStateException} if the table does not exist; the
   *     message has the statement to run
   */
  Flux<SequenceState> states();

  /**
   * Moves a counter past the largest value of a column, which is read in the same transaction. If
   * the column is empty, the counter does not change. The whole column is read, and on Spanner
   * locked, unless an index helps.
   *
   * @param sequence the name of the sequence
   * @param idTable the table that already holds ids, with its schema if it has one
   * @param idColumn its column, of type {@code BIGINT} or {@code INT64}
   * @return the state of the counter afterwards. Errors: {@link SequenceNotFoundException} if there
   *     is no such sequence, {@link SequenceExhaustedException} if the column holds {@link
   *     Long#MAX_VALUE}, {@link IllegalArgumentException} if the table of ids does not exist,
   *     {@link UnsupportedOperationException} if this store has no tables, the default
   * @throws IllegalArgumentException if a name is not an identifier
   */
  default Mono<SequenceState> moveForwardPast(String sequence, String idTable, String idColumn) {
    return Mono.error(() -> new UnsupportedOperationException(this + " has no tables of ids"));
  }

  /**
   * Sets a counter to a value, also to a smaller one, if it has the expected value now. <b>Values
   * between a smaller value and the expected one will be issued again</b>, so first stop all
   * generators of the sequence and make sure that none of these values is in use. A ledger keeps
   * its entries, and its audit reports the counter as behind.
   *
   * @param sequence the name of the sequence
   * @param expected the next value that the counter has now, as {@link #state} returned it
   * @param nextValue the next value that it shall have, up to {@link SequenceState#LARGEST_VALUE}
   * @return true if the counter was set, false if it does not have the expected value. Errors:
   *     {@link SequenceNotFoundException} if there is no such sequence, {@link
   *     SequenceExhaustedException} if {@code nextValue} is larger. After another error it may be
   *     unknown whether the counter was set; read the state then
   */
  Mono<Boolean> moveTo(String sequence, long expected, long nextValue);

  /**
   * Deletes a counter. A ledger keeps its entries. If the sequence is created again, it issues
   * values again, so first stop all generators of the sequence.
   *
   * @param sequence the name of the sequence
   * @return true if the counter was deleted, false if there was none. After an error it may be
   *     unknown whether it was deleted; read the state then
   */
  Mono<Boolean> drop(String sequence);

  /**
   * Audits the sequences of this store with its ledger.
   *
   * @return the audit; nothing is read before it is used
   * @throws IllegalStateException if the store has no ledger, the default
   */
  default SequenceAudit audit() {
    throw new IllegalStateException(this + " has no ledger");
  }
}
