package io.millrace.insert.spi;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import java.util.BitSet;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * The service provider interface for a database that commits a group of rows atomically,
 * implemented for a subclass of {@link io.millrace.insert.Inserts}. The pipeline retries,
 * determines the outcome of a commit whose answer was lost, and finds the rows at fault. Must be
 * thread-safe: many groups use it at once.
 */
public interface GroupTransactions<T, P extends PreparedRow<T>> {

  /**
   * Prepares a row. Called once for each row: in a pipeline one at a time, in the order of the
   * source; for a {@code RowWriter} by its callers, possibly several at once. Must not block. If it
   * throws, the row is rejected.
   *
   * @return a new object, ready to be grouped and written
   */
  P prepare(T row);

  /**
   * Writes a group in one transaction, when subscribed to, and retries it after a conflict with
   * another transaction. Cancelling rolls it back if that is still possible.
   *
   * @param group the rows, at least one
   * @return the rows as they were written, in the order of the group, after the commit was
   *     acknowledged. Errors: {@link GroupFailedException}; after any other error, the outcome of
   *     the rows is unknown
   */
  Mono<List<Committed<T>>> commit(List<P> group);

  /**
   * Writes a group again while an earlier commit of it is in doubt. Like {@link #commit}, which is
   * the default, but the keys must be the same: with other keys the database would not reject the
   * second commit if the first arrives late. Rows that receive their keys in the transaction must
   * be compared there, before anything is written.
   *
   * @param group the rows, as they were prepared
   * @param sent the same rows as the last commit in doubt wrote them
   * @return as for {@link #commit}. Also an error: {@link GroupFailedException} of the kind {@code
   *     UNKNOWN} if a key differs; nothing was written
   */
  default Mono<List<Committed<T>>> commitAgain(List<P> group, List<P> sent) {
    return commit(group);
  }

  /**
   * Looks up the rows of a group whose commit was not answered. Called only after {@link
   * GroupFailedException.Kind#IN_DOUBT}. Cancelled if it takes too long. The database must reject
   * duplicate keys: then, if the rows are written again and the lost commit arrives later, that
   * commit is rejected.
   *
   * @param group the rows, as they were prepared
   * @param sent the same rows as the last commit in doubt wrote them: {@link
   *     GroupFailedException#sent}, or those of the group
   * @return empty if the group may be written again, because a row is missing (so the commit had no
   *     effect) or because writing is idempotent. Otherwise the outcome of each row, in the order
   *     of the group: committed if the row exists as it was sent, else unknown. Errors: {@link
   *     GroupFailedException} of the kind {@code UNKNOWN} if the rows do not show the outcome, or
   *     with the {@linkplain GroupFailedException#faults() rows} that cannot be looked up, whose
   *     outcomes are unknown; after any other error, the look-up is retried
   */
  Mono<List<InsertOutcome<T>>> find(List<P> group, List<P> sent);

  /**
   * Looks for rows of a rejected group whose keys already exist. The pipeline writes each of them
   * alone and the others together, which takes fewer transactions than splitting the group.
   * Cancelled if it takes too long.
   *
   * @param group the rows as the rejected transaction wrote them: {@link
   *     GroupFailedException#sent}, or as they were prepared
   * @param reason why the database rejected them
   * @return the indexes of such rows; empty by default. After an error, the group is split
   */
  default Mono<BitSet> existing(List<P> group, Throwable reason) {
    return Mono.empty();
  }

  /**
   * Returns whether the database refuses to write the group a second time. Then a second commit
   * that succeeds shows that the lost one had no effect, and will have none.
   *
   * @return true by default; false if a row replaces one with the same key
   */
  default boolean isWrittenOnce(List<P> group) {
    return true;
  }
}
