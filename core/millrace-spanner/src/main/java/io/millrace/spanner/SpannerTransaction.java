package io.millrace.spanner;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options.QueryOption;
import com.google.cloud.spanner.Options.ReadOption;
import com.google.cloud.spanner.Options.UpdateOption;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import io.millrace.TransactionalSequence;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One attempt at a read-write transaction, as the body given to {@link
 * SpannerTransactions#readWrite} sees it. It can be used until the body's {@code Mono} ends. After
 * that its methods fail with {@link IllegalStateException}. A retry gets a transaction of its own.
 *
 * <p>Every {@code Mono} and {@code Flux} here is cold: each subscription sends its statement. No
 * method blocks. Results come on a thread of the Spanner client, which must not be blocked.
 * Cancelling ends a statement's stream but does not undo the statement. Spanner begins the
 * transaction with the first statement. Statements that start before the first is answered wait for
 * it.
 *
 * <p>Not for implementation outside Millrace: methods may be added.
 */
public interface SpannerTransaction {

  /**
   * Adds a mutation, which the commit will apply. Reads in this transaction do not see it.
   * Mutations apply in the order in which they were buffered.
   *
   * @param mutation the change
   * @throws IllegalStateException if the transaction is over
   */
  void buffer(Mutation mutation);

  /**
   * Adds mutations to what the commit will apply.
   *
   * @param mutations the changes, in order
   * @throws IllegalStateException if the transaction is over
   */
  void buffer(Iterable<Mutation> mutations);

  /**
   * Reads one row.
   *
   * @param table the table
   * @param key the row's primary key
   * @param columns the columns wanted
   * @param options options of the client, such as a lock hint
   * @return the row, or empty if there is none
   */
  Mono<Struct> readRow(String table, Key key, Iterable<String> columns, ReadOption... options);

  /**
   * Reads rows by key. They are fetched as fast as the server sends them and kept in memory until
   * they are requested, because a stream that waits would block one of the client's few threads.
   *
   * @param table the table
   * @param keys the primary keys
   * @param columns the columns wanted
   * @param options options of the client
   * @return the rows, in key order
   */
  Flux<Struct> read(String table, KeySet keys, Iterable<String> columns, ReadOption... options);

  /**
   * Runs a query. Rows are kept in memory until they are requested, as with {@link #read}.
   *
   * @param statement the query, or DML that returns rows
   * @param options options of the client
   * @return the rows
   */
  Flux<Struct> query(Statement statement, QueryOption... options);

  /**
   * Runs a DML statement.
   *
   * @param statement the statement
   * @param options options of the client
   * @return how many rows it changed
   */
  Mono<Long> executeUpdate(Statement statement, UpdateOption... options);

  /**
   * Runs several DML statements, one after the other, with one request. They stop at the first that
   * fails; the error, a {@code SpannerBatchUpdateException}, says how many rows each one before it
   * changed.
   *
   * @param statements the statements, at least one
   * @param options options of the client
   * @return how many rows each changed, in their order
   */
  Mono<long[]> executeBatchUpdate(Iterable<Statement> statements, UpdateOption... options);

  /**
   * Registers a hook to run after the body has completed and before the commit is sent. Hooks run
   * one after the other in the order of registration; a hook may register more. Functions of {@link
   * TransactionalSequence#atCommit} come after them. A hook that fails rolls the transaction back,
   * as an error of the body does.
   *
   * @param hook returns the {@code Mono} to wait for; called once in this attempt
   * @throws IllegalStateException if the last hook has run already
   */
  void beforeCommit(Supplier<? extends Mono<Void>> hook);

  /**
   * Keeps an object for the rest of this attempt. A retry starts without it.
   *
   * @param key identifies the object; compared with {@code equals}
   * @param initial makes the object when it is first needed; called once for each key, must not
   *     call this method
   * @param <A> the type of the object
   * @return the object kept under the key
   */
  <A> A attribute(Object key, Supplier<? extends A> initial);
}
