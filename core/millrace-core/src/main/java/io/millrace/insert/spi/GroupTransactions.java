package io.millrace.insert.spi;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import java.util.BitSet;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * What an insert pipeline needs from a database that commits a group as a whole or not at all. A
 * subclass of {@link io.millrace.insert.Inserts} returns it. The pipeline retries, finds out the
 * outcome of a commit whose answer was lost, and finds the rows at fault. Used by many groups at
 * once.
 *
 * @param <T> the type of the rows
 * @param <P> a row as it is prepared
 */
public interface GroupTransactions<T, P extends PreparedRow<T>> {

  /**
   * Prepares a row. Called once for each row: in a pipeline in the order of the source, one at a
   * time; for a {@code RowWriter} by its callers, perhaps several at once. Must not block.
   *
   * @param row the row
   * @return a new object: the row, ready to be grouped and written. If this throws, the row is
   *     rejected
   */
  P prepare(T row);

  /**
   * Writes a group in one transaction, when subscribed to. Cancelling rolls it back if that is
   * still possible. This method runs a transaction again after a conflict with another one.
   *
   * @param group the rows, at least one
   * @return the rows as they were written, in the order of the group, after the commit was
   *     acknowledged. Errors: {@link GroupFailedException}; after any other the outcome of the rows
   *     is unknown
   */
  Mono<List<Committed<T>>> commit(List<P> group);

  /**
   * Writes a group again while an earlier commit of it is in doubt: as {@link #commit} does, which
   * is the default, but not with other keys. With other keys the database would not refuse the
   * second commit if the first one arrives late. So rows that get their keys in the transaction
   * must be compared there, before anything is written.
   *
   * @param group the rows, as they were prepared
   * @param sent the same rows as the last commit in doubt wrote them
   * @return as for {@link #commit}. A further error: {@link GroupFailedException} of the kind
   *     {@code UNKNOWN} if a key differs; nothing was written
   */
  default Mono<List<Committed<T>>> commitAgain(List<P> group, List<P> sent) {
    return commit(group);
  }

  /**
   * Looks for the rows of a group whose commit was not answered. Called only after {@link
   * GroupFailedException.Kind#IN_DOUBT}. Cancelled if it takes too long. The database must not hold
   * two rows with one key. So if the rows are written again and the lost commit arrives later, it
   * is refused.
   *
   * @param group the rows, as they were prepared
   * @param sent the same rows as the last commit in doubt wrote them: {@link
   *     GroupFailedException#sent}, or those of the group
   * @return empty if the group may be written again, because a row is missing (the commit had no
   *     effect) or because writing it twice leaves the same rows. Otherwise the outcome of each
   *     row, in the order of the group: committed if the row is there as it was sent, else unknown.
   *     Errors: {@link GroupFailedException} of the kind {@code UNKNOWN} if the rows do not tell;
   *     after any other error the search is repeated
   */
  Mono<List<InsertOutcome<T>>> find(List<P> group, List<P> sent);

  /**
   * Looks for rows of a refused group that cannot be inserted because their keys exist. The
   * pipeline writes each of them alone and the others together, which takes fewer transactions than
   * to split the group. Cancelled if it takes too long.
   *
   * @param group the rows as the refused transaction wrote them: {@link GroupFailedException#sent},
   *     or as they were prepared
   * @param reason why the database refused them
   * @return the indexes of such rows; empty (the default) if nothing was looked for. After an error
   *     the group is split
   */
  default Mono<BitSet> existing(List<P> group, Throwable reason) {
    return Mono.empty();
  }

  /**
   * Tells whether an empty answer of {@link #find} proves that the lost commit had no effect.
   *
   * @param group the rows
   * @return true (the default) if it shows that the lost commit had no effect. False if the lost
   *     commit may have written the group, or may write it although the next one is refused; if the
   *     second commit is then refused, the outcome of the rows is unknown
   */
  default boolean absenceShows(List<P> group) {
    return true;
  }
}
