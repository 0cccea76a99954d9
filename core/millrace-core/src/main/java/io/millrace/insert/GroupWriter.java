package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.spi.PreparedRow;
import java.util.BitSet;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Writes groups of rows to a database for an insert pipeline. Many groups use one instance at the
 * same time.
 *
 * @param <P> a row as this writer prepares it
 */
interface GroupWriter<T, P extends PreparedRow<T>> {

  /**
   * Prepares a row. Called once for each row: in a pipeline in the order of the source, one at a
   * time; for a {@code RowWriter} by its callers, perhaps several at once. Must not block.
   *
   * @return a new object: the row, ready to be grouped and written. If this throws, the row is
   *     rejected
   */
  P prepare(T row);

  /**
   * Writes a group, when subscribed to. Cancelling stops it if that is still possible. It emits the
   * outcome of each row, in the order of the group, and does not fail: an error or an empty answer
   * counts as an unknown outcome of every row.
   *
   * @param group the rows, at least one
   * @param joined has the index of each row that belongs to the row before it: they are committed
   *     in one transaction, or none of them is
   * @return one outcome for each row. A committed row may differ from the row passed in: it may
   *     have a number that the transaction gave it
   */
  Mono<List<InsertOutcome<T>>> write(List<P> group, BitSet joined);

  /** Like {@link #write}, and always emits one outcome for each row. */
  default Mono<List<InsertOutcome<T>>> outcomes(List<P> group, BitSet joined) {
    return Mono.defer(() -> write(group, joined))
        .filter(outcomes -> outcomes.size() == group.size())
        .switchIfEmpty(
            Mono.error(
                () ->
                    new IllegalStateException(
                        "the writer did not report one outcome for each of "
                            + group.size()
                            + " rows")))
        .onErrorResume(
            failure ->
                Mono.just(
                    group.stream()
                        .<InsertOutcome<T>>map(row -> new Unknown<>(row.row(), failure))
                        .toList()));
  }
}
