package io.millrace.spanner;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options.QueryOption;
import com.google.cloud.spanner.Options.ReadOption;
import com.google.cloud.spanner.Options.UpdateOption;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One attempt at a read-write transaction, as passed to the body of {@link
 * SpannerTransactions#readWrite}. It can be used until the body's {@code Mono} ends; after that its
 * methods fail with {@link IllegalStateException}. Each attempt has a new object.
 *
 * <p>Every {@code Mono} and {@code Flux} is cold: each subscription sends its statement. No method
 * blocks. Results are delivered on a thread of the Spanner client, which must not be blocked.
 * Cancelling ends a statement's stream but does not undo the statement. The first statement begins
 * the transaction, and statements that start before it is answered wait for it.
 *
 * <p>Do not implement this interface outside Millrace: methods may be added.
 */
public interface SpannerTransaction {

  /**
   * Adds a mutation, which is applied by the commit and not visible to reads in this transaction.
   * Mutations are applied in the order in which they were buffered.
   *
   * @throws IllegalStateException if the transaction is over
   */
  void buffer(Mutation mutation);

  /**
   * Adds mutations, like {@link #buffer(Mutation)}.
   *
   * @param mutations the changes, in order
   * @throws IllegalStateException if the transaction is over
   */
  void buffer(Iterable<Mutation> mutations);

  /**
   * Reads one row.
   *
   * @param key the row's primary key
   * @param columns the columns wanted
   * @param options options of the client, such as a lock hint
   * @return the row, or empty if there is none
   */
  Mono<Struct> readRow(String table, Key key, Iterable<String> columns, ReadOption... options);

  /**
   * Reads rows by key. They are fetched as fast as the server sends them and buffered in memory
   * until they are requested, because waiting for demand would block one of the client's few
   * threads.
   *
   * @param keys the primary keys
   * @param columns the columns wanted
   * @param options options of the client
   * @return the rows, in key order
   */
  Flux<Struct> read(String table, KeySet keys, Iterable<String> columns, ReadOption... options);

  /**
   * Runs a query. Rows are buffered in memory until they are requested, as with {@link #read}.
   *
   * @param statement the query, or DML that returns rows
   * @param options options of the client
   */
  Flux<Struct> query(Statement statement, QueryOption... options);

  /**
   * Runs a DML statement.
   *
   * @param options options of the client
   * @return the number of rows changed
   */
  Mono<Long> executeUpdate(Statement statement, UpdateOption... options);

  /**
   * Runs several DML statements, one after another, with one request. Execution stops at the first
   * that fails; the error, a {@code SpannerBatchUpdateException}, has the number of rows changed by
   * each one before it.
   *
   * @param statements the statements, at least one
   * @param options options of the client
   * @return the number of rows changed by each, in order
   */
  Mono<long[]> executeBatchUpdate(Iterable<Statement> statements, UpdateOption... options);
}
