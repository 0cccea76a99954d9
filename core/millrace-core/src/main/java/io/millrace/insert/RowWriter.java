package io.millrace.insert;

import java.util.List;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Writes the rows of many callers, and lets them share transactions: for a web service whose
 * requests insert a row each. A row that arrives while fewer transactions are under way than {@link
 * Inserts#concurrency concurrency} allows is written at once. Rows that arrive meanwhile are
 * written together, in the next transaction. So there is no delay when there is little to do, and
 * the more there is, the more rows share a transaction.
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
 * its group is split to find it: only its caller receives an error, and no number is lost. If the
 * database cannot be reached, or its answer is lost, the rows of a group share that fate. Callers
 * learn of it when it is known for the whole group.
 *
 * <p><b>Contexts.</b> A transaction sees the Context of no caller.
 *
 * <p>Safe for use by any number of threads. {@link Inserts#writer()} makes one, with the options of
 * the pipeline.
 *
 * @param <T> the type of the rows
 */
public interface RowWriter<T> extends Disposable {

  /**
   * Writes a row. At each subscription the row is prepared, on the subscribing thread, by the
   * function that maps it, which may be called by several threads at once; it is queued when it is
   * requested. Where Reactor propagates Contexts to thread-locals, those of the subscriber reach
   * the functions that map and number its row.
   *
   * <p>A cancel takes the row out if it is not part of a transaction yet. After that it has no
   * effect: the row is written, and nobody learns of it.
   *
   * @param row the row
   * @return the row as it was written, with its number if it has one. On any thread, mostly that of
   *     the database's answer: do not block it. Errors: {@link InsertFailedException} if the row
   *     was not written, or it is not known whether it was; {@link RowNotAcceptedException} if it
   *     was not tried, because too many rows wait, it waited too long, or the writer is disposed
   */
  Mono<T> write(T row);

  /**
   * Writes rows that belong together, such as the lines of an invoice: all of them in one
   * transaction, or none. With {@link Inserts#numbered numbers}, theirs follow each other.
   * Otherwise the same as {@link #write}.
   *
   * @param rows the rows, as many as a group may have and as may wait. They are copied
   * @return the rows as they were written, in their order; for an empty list at once an empty list.
   *     Errors as for {@link #write}. A {@link RowTooLargeException} is the cause if the rows
   *     exceed {@code groupSize}, {@code maxWaiting}, {@code maxCells} or {@code maxBytes}. If one
   *     row is refused, none is written; if the answer of the database is lost, it is the outcome
   *     of all
   */
  Mono<List<T>> writeAll(List<T> rows);

  /**
   * Returns how many rows wait for their transaction, at this moment. Does not block.
   *
   * @return 0 to {@link #maxWaiting}
   */
  int waiting();

  /**
   * Returns how many rows may wait for their transaction.
   *
   * @return 1 or more
   */
  int maxWaiting();

  /**
   * Ends the writer: accepted rows are written, unless they wait too long, and later ones refused.
   * Nothing happens before the subscription. A cancel does not stop it.
   *
   * @return completes when the callers of all accepted rows were told. Never fails; with neither a
   *     {@code transactionTimeout} nor an answer of the database it does not complete
   */
  Mono<Void> disposeLater();

  /** Ends the writer as {@link #disposeLater()} does, without waiting for it. */
  @Override
  default void dispose() {
    disposeLater().subscribe();
  }
}
