package io.millrace.insert;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Writes groups of rows to a database for an insert pipeline. Many groups use one instance at the
 * same time.
 *
 * @param <T> the type of the rows
 * @param <P> a row as this writer prepares it
 */
public interface GroupWriter<T, P extends GroupWriter.PreparedRow<T>> {

  /**
   * A row as it is sent, and its size in a commit.
   *
   * @param <T> the type of the rows
   */
  interface PreparedRow<T> {

    /**
     * Returns the row.
     *
     * @return the row that was passed to {@link GroupWriter#prepare}
     */
    T row();

    /**
     * Returns how many cells the row writes, for the pipeline's {@code maxCells}.
     *
     * @return 0 or more
     */
    long cells();

    /**
     * Returns about how many bytes the row writes, for the pipeline's {@code maxBytes}.
     *
     * @return 0 or more
     */
    long bytes();
  }

  /**
   * Prepares a row. Called once for each row, in the order of the source, one at a time. Must not
   * block.
   *
   * @param row the row
   * @return the row, ready to be grouped and written. If this throws, the row is rejected
   */
  P prepare(T row);

  /**
   * Writes a group, when subscribed to. Cancelling stops it if that is still possible. It emits the
   * outcome of each row, in the order of the group, and does not fail: an error or an empty answer
   * counts as an unknown outcome of every row.
   *
   * @param group the rows, at least one
   * @return one outcome for each row. A committed row may differ from the row passed in: it may
   *     have a number that the transaction gave it
   */
  Mono<List<InsertOutcome<T>>> write(List<P> group);
}
