package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * What an insert pipeline needs of a database that commits a group as a whole or not at all. {@link
 * Inserts#oneTransactionAGroup} makes of it a writer that tries again, finds out what became of a
 * commit without an answer, and finds the rows at fault. Used by many groups at once.
 *
 * @param <T> the type of the rows
 * @param <P> a row as it is prepared
 */
public interface GroupTransactions<T, P extends GroupWriter.PreparedRow<T>> {

  /**
   * Prepares a row, as {@link GroupWriter#prepare} says.
   *
   * @param row the row
   * @return the row, ready to be written. What this throws rejects the row
   */
  P prepare(T row);

  /**
   * Writes a group in one transaction, when subscribed to; cancelling rolls it back where it still
   * can be. A transaction that only stood in another's way is run again in here.
   *
   * @param group the rows, at least one
   * @return the rows as they were written, in the order of the group, after the commit was
   *     acknowledged. Errors: {@link GroupFailedException}; after any other the outcome of the rows
   *     is unknown
   */
  Mono<List<Committed<T>>> commit(List<P> group);

  /**
   * Looks for the rows of a group whose commit was not answered. Only called after {@link
   * GroupFailedException.Kind#IN_DOUBT}. The database must not hold two rows with one key, so that
   * a commit that arrives after its rows were written again is refused.
   *
   * @param group the rows
   * @return empty if the group may be written again: a row is missing, so that the commit had no
   *     effect, or writing it twice leaves the same rows; else the outcome of each row, in the
   *     order of the group: committed if it is there as it was sent, or else unknown. Unknown, too,
   *     where it does not show. An error is one of the search, which is repeated
   */
  Mono<List<InsertOutcome<T>>> find(List<P> group);

  /**
   * Tells what an empty answer of {@link #find} says.
   *
   * @param group the rows
   * @return true if it shows that the lost commit had no effect, as by default; false if the group
   *     may have been written all the same, so that it is unknown what became of it if it is
   *     refused when it is written again
   */
  default boolean absenceShows(List<P> group) {
    return true;
  }
}
