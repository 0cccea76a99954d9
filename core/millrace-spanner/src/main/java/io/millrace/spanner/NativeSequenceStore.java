package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.key.BitReversal;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Takes values from Spanner's native sequences, of the kind {@code bit_reversed_positive}, in
 * GoogleSQL and PostgreSQL databases. A reservation is a separate transaction with one query for
 * every 10,000 values, which are issued once it is committed.
 *
 * <p><b>When to use it.</b> No row is locked, so processes do not wait for each other. The values
 * are spread over all positive numbers, so they can be the first part of a key. On the other hand,
 * they have no order, have up to 19 digits, and cannot be released: values that are buffered when a
 * generator is disposed are a gap. Tables that take a default from the sequence share its values
 * with this store, and no value is used twice. If values must be small or ordered, use {@link
 * SpannerSequenceStore}.
 *
 * <p>To keep values below a limit, give the sequence a {@code SKIP RANGE} above it: a generator's
 * {@code maxValue} would discard most values, because they are spread over the whole range. A
 * generator needs a {@code blockSize} of 2 or more, since the store is not {@linkplain #isOrdered
 * ordered}, and a {@code maxBlockSize} of at most {@value #LARGEST_RESERVATION}: a larger
 * reservation is rejected.
 *
 * <p>The name of a sequence is a letter, then letters, digits and underscores, at most 128
 * characters; a schema and a dot may precede it. Names that differ only in case are one sequence;
 * in PostgreSQL, use lower case.
 *
 * <p>All methods return cold {@code Mono}s and do not block; results are delivered on a thread of
 * the Spanner client, which must not be blocked. A transaction that Spanner aborted is retried
 * within the limits of the {@linkplain NativeSequenceStoreBuilder#transactionOptions options}; the
 * values that it had taken are a gap, because a rollback does not move a sequence back.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException} if the sequence does not exist; the message
 * has the statement to run. {@link SequenceExhaustedException} if it is at its end. {@link
 * SequenceStoreException} if Spanner rejects the request permanently, for example for lack of
 * permission. {@link IllegalArgumentException} if a name or a size is out of range. {@link
 * CommitOutcomeUnknownException} if the answer to a commit was lost: reserve again. {@link
 * TransactionRetriesExhaustedException} if the transaction was aborted too often. Any other error,
 * such as {@code UNAVAILABLE}, is the client's {@link SpannerException}, and may be transient.
 */
public final class NativeSequenceStore implements SequenceStore {

  /** The largest reservation: 1,000,000 values. */
  public static final int LARGEST_RESERVATION = 1_000_000;

  /** The most values that one query takes. The emulator generates arrays of at most 16,000. */
  static final int MAX_VALUES_PER_QUERY = 10_000;

  private final DatabaseClient client;
  private final SpannerTransactionOptions options;
  private final Mono<Dialect> dialect;

  NativeSequenceStore(NativeSequenceStoreBuilder builder) {
    this.client = builder.client;
    this.options = builder.options;
    this.dialect =
        builder.dialect == null ? DatabaseDialect.of(builder.client) : Mono.just(builder.dialect);
  }

  /** Returns a store with the default options. */
  public static NativeSequenceStore create(DatabaseClient client) {
    return builder(client).build();
  }

  /**
   * Returns a builder for a store.
   *
   * @return a builder with every option at its default
   */
  public static NativeSequenceStoreBuilder builder(DatabaseClient client) {
    return new NativeSequenceStoreBuilder(client);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Sends two requests, a query and a commit, and one more query for each further 10,000 values.
   * The order of the values has no meaning.
   *
   * <p>To skip values, give the sequence a {@code SKIP RANGE}. A missing sequence is an error, also
   * if the request says that it is to be created.
   *
   * @param request for 1 to {@link #LARGEST_RESERVATION} values
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    long size = request.size();
    if (size > LARGEST_RESERVATION) {
      return Mono.error(
          new IllegalArgumentException(
              "a reservation of a native sequence has 1 to "
                  + LARGEST_RESERVATION
                  + " values, was "
                  + size));
    }
    return withQueries(
        request.sequence(),
        queries ->
            SpannerTransactions.readWrite(
                    client,
                    options.tag(SequenceTable.tag(request.sequence())),
                    transaction -> values(transaction, queries, (int) size))
                .onErrorResume(
                    NativeSequenceFailures::isExhausted,
                    failure -> exhausted(queries, size, failure)));
  }

  private static Mono<SequenceBlock> values(
      SpannerTransaction transaction, NativeQueries queries, int size) {
    return Flux.range(0, (size + MAX_VALUES_PER_QUERY - 1) / MAX_VALUES_PER_QUERY)
        .map(query -> Math.min(MAX_VALUES_PER_QUERY, size - query * MAX_VALUES_PER_QUERY))
        .concatMap(values -> transaction.query(queries.values(values)))
        .map(row -> row.getLong(0))
        .collectList()
        .map(all -> SequenceBlock.ofValues(all.stream().mapToLong(Long::longValue).toArray()));
  }

  private Mono<SequenceBlock> exhausted(NativeQueries queries, long size, Throwable failure) {
    return counter(queries)
        .onErrorReturn(Long.MAX_VALUE)
        .flatMap(
            counter ->
                Mono.error(
                    new SequenceExhaustedException(
                        queries.sequence(),
                        counter,
                        size,
                        Long.MAX_VALUE,
                        "move to another sequence",
                        failure)));
  }

  /**
   * Checks that a sequence exists. The store does not create sequences, because that is a change of
   * the schema: run SQL when a program is deployed.
   *
   * @param startValue ignored: the sequence's definition says where its counter starts
   * @return completes if the sequence exists. Error: {@link SequenceNotFoundException} with the
   *     statement to run
   */
  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return withQueries(sequence, queries -> read(queries, queries.position()).then());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Sends one query, and before the first value a second one. The next value is the reversal of
   * Spanner's counter, even if that value is to be skipped; {@code BitReversal.PRESERVING_SIGN}
   * converts it back to the counter.
   */
  @Override
  public Mono<SequenceState> state(String sequence) {
    return withQueries(sequence, this::counter)
        .map(
            counter ->
                new SequenceState(sequence, BitReversal.PRESERVING_SIGN.applyAsLong(counter)));
  }

  /** Where the counter stands, or where it will start, before the reversal: 1 or more. */
  private Mono<Long> counter(NativeQueries queries) {
    return number(queries, queries.position())
        .switchIfEmpty(Mono.defer(() -> number(queries, queries.start())))
        .defaultIfEmpty(1L);
  }

  private Mono<Long> number(NativeQueries queries, Statement query) {
    return read(queries, query)
        .filter(rows -> !rows.isEmpty() && !rows.get(0).isNull(0))
        .map(rows -> rows.get(0).getLong(0));
  }

  private Mono<List<Struct>> read(NativeQueries queries, Statement query) {
    return ClientRequest.read(
        client,
        once -> once.executeQueryAsync(query, Options.tag(SequenceTable.tag(queries.sequence()))));
  }

  /** Returns false: bit-reversed values are not ordered. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  /** Returns false: Spanner's sequences do not move back. */
  @Override
  public boolean isReleasable() {
    return false;
  }

  /** Checks the name at subscription, and maps the errors to the types that users expect. */
  private <T> Mono<T> withQueries(String sequence, Function<NativeQueries, Mono<T>> request) {
    return Mono.fromCallable(() -> new NativeQueries(sequence, Dialect.GOOGLE_STANDARD_SQL))
        .flatMap(
            unknown ->
                dialect
                    .onErrorMap(failure -> NativeSequenceFailures.translate(unknown, failure))
                    .flatMap(
                        known -> {
                          NativeQueries queries = new NativeQueries(sequence, known);
                          return request
                              .apply(queries)
                              .onErrorMap(
                                  failure -> NativeSequenceFailures.translate(queries, failure));
                        }));
  }

  @Override
  public String toString() {
    return "NativeSequenceStore";
  }
}
