package io.millrace.insert;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Writes the rows of many callers, and lets them share transactions: for a web service whose
 * requests insert a row each. A row that arrives while no transaction is under way is written at
 * once. Rows that arrive meanwhile are written together, in the next transaction. So there is no
 * delay when there is little to do, and the more there is, the more rows share a transaction.
 *
 * <pre>{@code
 * RowWriter<Invoice> invoices =
 *     R2dbcInserts.into(connections, "invoices", Invoice::writeTo)
 *         .numbered(store.transactional("invoice_no"), Invoice::withNumber)
 *         .writer();
 *
 * Mono<Invoice> saved = invoices.write(invoice); // with its number
 * }</pre>
 *
 * <p>With {@link Inserts#numbered numbers}, rows are numbered without gaps, in the order of the
 * requests of one process, and one transaction is under way at a time. Several processes may write
 * rows of one sequence: their transactions wait for each other.
 *
 * <p><b>Outcomes.</b> Each caller learns what became of its own row. If the database refuses a row,
 * its group is split to find it: only its caller receives an error, and no number is lost.
 *
 * <p>Safe for use by any number of threads. {@link Inserts#writer()} makes one, with the options of
 * the pipeline.
 *
 * @param <T> the type of the rows
 */
public interface RowWriter<T> extends Disposable {

  /**
   * Writes a row. At each subscription the row is prepared, on the subscribing thread, by the
   * function that maps it; it is queued when it is requested. The subscriber's Context and, where
   * Reactor propagates Contexts to thread-locals, its thread-locals reach the functions that map
   * and number its row, and those of no other subscriber.
   *
   * <p>A cancel takes the row out if it is not part of a transaction yet. After that it has no
   * effect: the row is written, and nobody learns of it.
   *
   * @param row the row
   * @return the row as it was written, with its number if it has one, on the thread of the
   *     database's answer: do not block it. Errors: {@link InsertFailedException} if the row was
   *     not written, or it is not known whether it was; {@link RowNotAcceptedException} if it was
   *     not tried, because too many rows wait, it waited too long, or the writer is disposed
   */
  Mono<T> write(T row);

  /**
   * Ends the writer: accepted rows are written, later ones refused. Nothing happens before the
   * subscription. A cancel does not stop it.
   *
   * @return completes when it is known what became of each accepted row. Never fails
   */
  Mono<Void> disposeLater();

  /** Ends the writer as {@link #disposeLater()} does, without waiting for it. */
  @Override
  default void dispose() {
    disposeLater().subscribe();
  }
}
