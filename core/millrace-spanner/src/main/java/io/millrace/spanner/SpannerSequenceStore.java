package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Stores the counters of sequences in a table of Cloud Spanner, one row for each sequence, as in
 * Google's guide "Sequence generation in Spanner". Supports GoogleSQL and PostgreSQL databases.
 *
 * <p>A reservation is a transaction of two requests: a read that locks the counter's row, and a
 * commit. A counter serves one reservation at a time, over all processes. Do not wait for a
 * reservation inside another transaction: take values before it, or use {@link #transactional}.
 *
 * <p>All methods return cold {@code Mono}s and do not block; results are delivered on a thread of
 * the Spanner client, which must not be blocked. A transaction that Spanner aborted had no effect
 * and is retried within the limits of the {@linkplain
 * SpannerSequenceStoreBuilder#transactionOptions options}.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException} if there is no counter or no table; the
 * message has the statements to run. {@link SequenceExhaustedException} if the counter is near
 * {@link Long#MAX_VALUE}. {@link SequenceStoreException} if Spanner rejects the request
 * permanently, for example for lack of permission. {@link IllegalArgumentException} if a name or a
 * size is out of range. {@link CommitOutcomeUnknownException} if the answer to a commit was lost.
 * {@link TransactionRetriesExhaustedException} if the transaction was aborted too often. Any other
 * error, such as {@code UNAVAILABLE}, is the client's {@link SpannerException}, and may be
 * transient.
 */
public final class SpannerSequenceStore implements SequenceStore {

  private static final int RESENDS = 2;

  private final DatabaseClient client;
  private final SequenceTable table;
  private final SpannerTransactionOptions options;
  private final Mono<Dialect> dialect;
  private final SequenceFailures failures;
  private final CounterQueues queues = new CounterQueues();

  SpannerSequenceStore(SpannerSequenceStoreBuilder builder) {
    this.client = builder.client;
    this.dialect =
        builder.dialect == null ? DatabaseDialect.of(builder.client) : Mono.just(builder.dialect);
    this.table =
        new SequenceTable(
            builder.table, builder.nameColumn, builder.valueColumn, builder.nameLength);
    this.options = builder.options;
    this.failures = new SequenceFailures(table, dialect);
  }

  /**
   * Returns a store with the default names: table {@code sequences}, columns {@code name} and
   * {@code next_value}.
   */
  public static SpannerSequenceStore create(DatabaseClient client) {
    return builder(client).build();
  }

  /**
   * Returns a builder for a store with other names.
   *
   * @return a builder with the default names
   */
  public static SpannerSequenceStoreBuilder builder(DatabaseClient client) {
    return new SpannerSequenceStoreBuilder(client);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Sends two requests. After a {@link CommitOutcomeUnknownException}, reserve again, at the
   * cost of one gap.
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    String sequence = request.sequence();
    Long start = request.startIfMissing();
    return inTransaction(
            sequence,
            transaction ->
                table
                    .readForUpdate(transaction, sequence)
                    .switchIfEmpty(
                        start == null
                            ? failures.noCounter(sequence)
                            : insert(transaction, sequence, start))
                    .map(
                        next -> {
                          SequenceState state = new SequenceState(sequence, next);
                          SequenceBlock block = state.block(request.size());
                          transaction.buffer(table.update(sequence, block.last() + 1));
                          return block;
                        }))
        .retryWhen(resend(SpannerSequenceStore::isCreatedMeanwhile));
  }

  private Mono<Long> insert(SpannerTransaction transaction, String sequence, long value) {
    return Mono.fromCallable(
        () -> {
          transaction.buffer(table.insert(sequence, value));
          return value;
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>An aborted release had no effect and is retried. After a {@link
   * CommitOutcomeUnknownException}, the release must not be retried.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    if (!tail.isRun() || tail.last() > SequenceState.LARGEST_VALUE) {
      return Mono.just(false);
    }
    return inTransaction(
        sequence,
        transaction ->
            readExisting(transaction, sequence)
                .map(
                    next -> {
                      if (next != tail.last() + 1) {
                        return false;
                      }
                      transaction.buffer(table.update(sequence, tail.first()));
                      return true;
                    }));
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, startValue))
        .then(
            retryIdempotent(
                inTransaction(
                    sequence,
                    transaction ->
                        table
                            .readForUpdate(transaction, sequence)
                            .switchIfEmpty(insert(transaction, sequence, startValue)))))
        .then();
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return withTypedErrors(
        sequence,
        ClientRequest.read(
                client,
                once ->
                    once.readAsync(
                        table.name(),
                        KeySet.singleKey(Key.of(sequence)),
                        table.columns(),
                        Options.tag(SequenceTable.tag(sequence))))
            .filter(rows -> !rows.isEmpty())
            .map(rows -> new SequenceState(sequence, table.value(sequence, rows.get(0), 0)))
            .switchIfEmpty(failures.noCounter(sequence)));
  }

  @Override
  public Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return retryIdempotent(
        inTransaction(
            sequence,
            transaction ->
                readExisting(transaction, sequence)
                    .doOnNext(
                        current -> {
                          if (current < nextValue) {
                            transaction.buffer(table.update(sequence, nextValue));
                          }
                        })
                    .map(current -> new SequenceState(sequence, Math.max(current, nextValue)))));
  }

  /**
   * Returns a sequence for use inside transactions of the application.
   *
   * <p>A transaction reads the counter for its first value, then counts in memory, and adds one
   * mutation to the commit. Two objects for one sequence share this if their stores spell the
   * table's name identically.
   *
   * <p>Transactions that use the same sequence of this store take turns, in the order of their
   * requests, because Spanner would abort some of them. A turn lasts until the transaction ends,
   * including retries, but at most 10 seconds. A transaction waits for its turn only if this is its
   * first statement: one that has sent another statement may hold locks. While it waits, it keeps
   * its session, and the time counts towards {@link SpannerTransactionOptions#maxRetryTime}.
   * Transactions of other stores and processes do not take turns with these; they may conflict, and
   * are retried.
   *
   * <p>A call that is cancelled before the counter is read takes no value. Values are delivered on
   * the subscribing thread or a thread of the Spanner client. Errors are Spanner's error for the
   * read, or an {@link IllegalStateException} if the transaction is over. A value may appear in
   * several attempts, of which one commits.
   *
   * @return the sequence; nothing is read before it is used
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public TransactionalSequence<SpannerTransaction> transactional(String sequence) {
    return new SpannerTransactionalSequence(table, failures, queues, sequence);
  }

  /**
   * Returns the sequences of this store by name, for use inside transactions of the application:
   * one counter for each tenant or stream, for any number of names.
   *
   * <p>A call reads the counters of all its names with one request, and adds one mutation for each
   * to the commit; otherwise costs, turns and errors are those of {@link #transactional(String)}. A
   * transaction waits for its turn at all of its counters together, so transactions that have no
   * name in common do not wait for each other. Memory is used only for names in running
   * transactions.
   *
   * @return the sequences; nothing is read before they are used
   */
  public TransactionalSequences<SpannerTransaction> transactionals() {
    return new SpannerTransactionalSequences(table, failures, queues, null);
  }

  /** For tests: how many counters a transaction has, or waits for. */
  int countersInUse() {
    return queues.size();
  }

  /**
   * Returns the statement that creates the table.
   *
   * @return DDL, without a semicolon
   */
  public String createTableDdl(Dialect dialect) {
    return table.ddl(dialect, false);
  }

  /**
   * Creates the table unless it exists. Takes as long as a schema change: seconds to minutes. If
   * Spanner refuses it because another change is under way, it is tried again for about a minute.
   * Cancelling does not stop the change.
   *
   * @param admin a client that may change schemas, from {@code Spanner.createDatabaseAdminClient};
   *     the caller must close it
   * @param database the database of this store's client
   * @return completes when the table exists. Errors: the client's {@link SpannerException}
   */
  public Mono<Void> createTable(DatabaseAdminClient admin, DatabaseId database) {
    return dialect.flatMap(known -> SchemaChange.run(admin, database, table.ddl(known, true)));
  }

  /** Returns true: the row's lock orders reservations in real time. */
  @Override
  public boolean isOrdered() {
    return true;
  }

  /** Returns true. */
  @Override
  public boolean isReleasable() {
    return true;
  }

  private Mono<Long> readExisting(SpannerTransaction transaction, String sequence) {
    return table.readForUpdate(transaction, sequence).switchIfEmpty(failures.noCounter(sequence));
  }

  private <T> Mono<T> inTransaction(String sequence, Function<SpannerTransaction, Mono<T>> body) {
    return withTypedErrors(
        sequence,
        Mono.defer(
            () ->
                SpannerTransactions.readWrite(
                    client, options.tag(SequenceTable.tag(sequence)), body)));
  }

  /** Checks the name at subscription, and maps the errors to the types that users expect. */
  private <T> Mono<T> withTypedErrors(String sequence, Mono<T> work) {
    return Mono.fromRunnable(() -> table.checkSequence(sequence))
        .then(work)
        .onErrorResume(failure -> failures.translate(sequence, failure));
  }

  /**
   * Retries work that may be applied twice without harm, if it is unknown whether it took effect,
   * or if another process has created the row meanwhile.
   */
  private static <T> Mono<T> retryIdempotent(Mono<T> work) {
    return work.retryWhen(
        resend(
            failure ->
                failure instanceof CommitOutcomeUnknownException || isCreatedMeanwhile(failure)));
  }

  /** Whether another process inserted the row, so that the commit had no effect. */
  private static boolean isCreatedMeanwhile(Throwable failure) {
    return failure.getCause() instanceof SpannerException refused
        && refused.getErrorCode() == ErrorCode.ALREADY_EXISTS;
  }

  /** Retries a few times without a wait. After that the subscriber receives the failure itself. */
  private static Retry resend(Predicate<Throwable> failures) {
    return Retry.max(RESENDS)
        .filter(failures)
        .onRetryExhaustedThrow((retry, signal) -> signal.failure());
  }

  @Override
  public String toString() {
    return "SpannerSequenceStore[" + table.name() + "]";
  }
}
