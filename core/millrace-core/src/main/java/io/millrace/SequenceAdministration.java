package io.millrace;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store whose counters can also be listed, set and dropped, which tools and migrations need.
 * Implemented by the stores of this project that keep their counters in a table, and by the one in
 * memory.
 *
 * <p>As for {@link SequenceStore}, every {@code Mono} and {@code Flux} is cold, no method blocks,
 * and a request that lost a conflict with another transaction is retried.
 *
 * <p>{@code io.millrace.test.contract.SequenceAdministrationContract}, in millrace-test, checks
 * this.
 */
public interface SequenceAdministration extends SequenceStore {

  /**
   * Lists all counters of the store, in the order of their names as the database compares them.
   * Rows are read in pages of 1,000 as the subscriber requests them, and at most two pages are
   * held. The pages are not one snapshot: counters that are created or dropped meanwhile may or may
   * not be among them.
   *
   * @return the counters. Error: {@link IllegalStateException} if the table does not exist; the
   *     message contains the statement that creates it
   */
  Flux<SequenceState> states();

  /**
   * Moves a counter past the largest value of a column, which is read in the same transaction. If
   * the column is empty, the counter does not change. Without an index, the whole column is read,
   * and on Spanner locked.
   *
   * @param idTable the table that already holds ids, with its schema if it has one
   * @param idColumn its column, of type {@code BIGINT} or {@code INT64}
   * @return the state of the counter afterwards. Errors: {@link SequenceNotFoundException} if there
   *     is no such sequence, {@link SequenceExhaustedException} if the column holds {@link
   *     Long#MAX_VALUE}, {@link IllegalArgumentException} if the table of ids does not exist,
   *     {@link UnsupportedOperationException} if this store has no tables, the default
   * @throws IllegalArgumentException if a name is not an identifier
   */
  default Mono<SequenceState> moveForwardPast(String sequence, String idTable, String idColumn) {
    return Mono.error(
        () -> new UnsupportedOperationException(this + " cannot read ids from a table"));
  }

  /**
   * Sets a counter, forward or back, if it has the expected value. <b>If it moves back, the values
   * between are issued again</b>: first stop all generators of the sequence and make sure that none
   * of these values is in use.
   *
   * @param expected the counter's current next value, as returned by {@link #state}
   * @param nextValue its new next value, up to {@link SequenceState#LARGEST_VALUE}
   * @return true if the counter was set, false if it does not have the expected value. Errors:
   *     {@link SequenceNotFoundException} if there is no such sequence, {@link
   *     SequenceExhaustedException} if {@code nextValue} is larger. After any other error, the
   *     counter may or may not be set: read the state
   */
  Mono<Boolean> moveTo(String sequence, long expected, long nextValue);

  /**
   * Deletes a counter. If the sequence is created again, it issues the same values again: first
   * stop all generators of the sequence.
   *
   * @return true if the counter was deleted, false if there was none. After an error, it may or may
   *     not be deleted: read the state
   */
  Mono<Boolean> drop(String sequence);
}
