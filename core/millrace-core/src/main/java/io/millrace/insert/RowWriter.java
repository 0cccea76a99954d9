package io.millrace.insert;

import java.util.List;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Writes the rows of many callers in shared transactions, for example in a web service whose
 * requests insert a row each. A row is written at once if fewer transactions are running than
 * {@link Inserts#concurrency concurrency} allows. Rows that arrive meanwhile are written together
 * in the next transaction. There is no delay under light load, and more rows share a transaction as
 * the load grows.
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
 * requests of one process, and one transaction runs at a time. Several processes may write rows of
 * one sequence; their transactions wait for each other.
 *
 * <p><b>Outcomes.</b> Each caller receives the outcome of its row. If the database rejects a row,
 * its group is split to find it: only its caller receives an error, and no number is lost. If the
 * database cannot be reached, or its answer is lost, all rows of a group have that outcome. Callers
 * receive it when it is known for the whole group.
 *
 * <p><b>Contexts.</b> Transactions do not see the Context of any caller.
 *
 * <p>Thread-safe. Created by {@link Inserts#writer()}, with the options of the pipeline.
 */
public interface RowWriter<T> extends Disposable {

  /**
   * Writes a row. Each subscription maps the row on the subscribing thread, possibly concurrently
   * with others, and queues it.
   *
   * <p>The functions that name the sequence of a row and number it run within the transaction, on
   * the scheduler or on a thread of the database's driver. Do not read ThreadLocals in them: a row
   * must hold what they need.
   *
   * <p>Cancelling removes a row that is not yet part of a transaction. Later it has no effect: the
   * row is written, and its outcome is dropped.
   *
   * @return the row as it was written, with its number if it has one. Delivered on any thread,
   *     usually that of the database's answer: do not block it. Errors: {@link
   *     InsertFailedException} if the row was not written, or it is unknown whether it was; {@link
   *     RowNotAcceptedException} if it was not tried, because too many rows are waiting, it waited
   *     too long, or the writer is disposed
   */
  Mono<T> write(T row);

  /**
   * Writes rows that belong together, such as the lines of an invoice: all of them in one
   * transaction, or none. With {@link Inserts#numbered numbers}, theirs are consecutive. Otherwise
   * like {@link #write}.
   *
   * @param rows the rows, at most {@code groupSize} and {@code maxWaiting}; copied
   * @return the rows as they were written, in their order; an empty list at once for an empty list.
   *     Errors as for {@link #write}. A {@link RowTooLargeException} is the cause if the rows
   *     exceed {@code groupSize}, {@code maxWaiting}, {@code maxCells} or {@code maxBytes}. If one
   *     row is rejected, none is written; if the answer of the database is lost, all have that
   *     outcome
   */
  Mono<List<T>> writeAll(List<T> rows);

  /** {@return how many rows are waiting for their transaction, 0 to {@link #maxWaiting}} */
  int waiting();

  /** {@return how many rows may wait for their transaction, 1 or more} */
  int maxWaiting();

  /**
   * Shuts the writer down: accepted rows are written, unless they wait too long, and later ones
   * rejected. Nothing happens before subscription. Cancelling does not stop the shutdown.
   *
   * @return completes when the outcome of every accepted row was delivered. Never fails; never
   *     completes if {@code transactionTimeout} is 0 and the database does not answer
   */
  Mono<Void> disposeLater();

  /** Subscribes to {@link #disposeLater()} and returns without waiting. */
  @Override
  default void dispose() {
    disposeLater().subscribe();
  }
}
