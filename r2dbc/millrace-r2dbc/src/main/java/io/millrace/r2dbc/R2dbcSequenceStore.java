package io.millrace.r2dbc;

import io.millrace.ReservationRequest;
import io.millrace.SequenceAdministration;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import io.millrace.SkippedValues;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.GuardedCall;
import io.millrace.internal.LedgerFallback;
import io.millrace.internal.Pages;
import io.millrace.internal.ShownText;
import io.millrace.ledger.LedgerOptions;
import io.millrace.ledger.SequenceAudit;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Keeps the counters of sequences in a table of a database reached through R2DBC, one row for each
 * sequence. Works with PostgreSQL, MySQL, MariaDB, H2 and Cloud Spanner (GoogleSQL and PostgreSQL
 * dialects). For another database, give it a {@link R2dbcDialect} of your own.
 *
 * <p>A reservation is one statement in autocommit on PostgreSQL and H2, two on MySQL and MariaDB,
 * and a transaction on others. One row serves one reservation at a time, over all processes.
 *
 * <p><b>Connections.</b> Give the store its own source of connections: a driver or a small pool. In
 * a pool shared with the application, work may hold the last connection while it waits for a value.
 * The reservation then waits for that connection: a deadlock. Connections must be in autocommit and
 * outside a transaction. Others are refused: if the application does not commit a reservation, its
 * values would be issued twice. A cancel withdraws a request for a connection. Work that has begun
 * is finished, or rolled back if it is not committed, and then the connection is returned. After a
 * failure of kind {@link FailureKind#CONNECTION_LOST} or {@link FailureKind#OTHER} the driver's
 * connection is closed, and a pool replaces it; those that were open beside a lost one follow. Not
 * so on Spanner, nor if the failure is the store's own, as for a sequence that does not exist.
 *
 * <p>All methods return cold {@code Mono}s and block no thread; results come on a thread of the
 * driver, which must not be blocked, or on {@code Schedulers.boundedElastic()} if the driver
 * {@linkplain R2dbcDialect#isBlocking() blocks}. Work that lost a conflict with another transaction
 * had no effect. It is run again within the builder's limits.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException}: no row or no table; the message contains the
 * statements to run. {@link SequenceExhaustedException}: the counter is near {@link
 * Long#MAX_VALUE}. {@link SequenceStoreException}: the database refused permanently, for example
 * for lack of permission. {@link IllegalArgumentException}: a name or a size out of range, or a
 * database without a dialect. {@link IllegalStateException}: a connection that is not in
 * autocommit. {@link TransactionRetriesExhaustedException}: too many conflicts. Other errors, such
 * as a broken connection, are the driver's. They may be transient, and it is then unknown whether
 * the request took effect.
 */
public final class R2dbcSequenceStore implements SequenceAdministration, Closeable {

  private static final int DDL_RETRIES = 5;
  private static final Duration DDL_BACKOFF = Duration.ofMillis(100);

  private final Connections connections;
  private final KeptConnections kept;
  private final SequenceNames names;
  private final ConflictRetry retry;
  private final @Nullable LedgerOptions ledger;
  private final @Nullable LedgerFallback fallback;
  private final Mono<SequenceTable> table;

  /** The table; null before the dialect is known. */
  private volatile @Nullable SequenceTable made;

  R2dbcSequenceStore(R2dbcSequenceStoreBuilder builder) {
    this.connections = new Connections(builder.connections);
    this.kept = new KeptConnections(builder.connections);
    this.names = builder.names();
    this.retry = builder.retry();
    this.ledger = builder.ledger;
    this.fallback = ledger == null ? null : new LedgerFallback(ledger.table());
    this.table =
        (builder.dialect == null
                ? R2dbcDialect.of(builder.connections)
                : Mono.just(builder.dialect))
            .map(this::madeOnce);
  }

  /** It consists of texts of statements. Two threads may make it at the same time. */
  private SequenceTable madeOnce(R2dbcDialect dialect) {
    SequenceTable known = made;
    if (known == null) {
      known = tableIn(dialect);
      made = known;
    }
    return known;
  }

  private SequenceTable tableIn(R2dbcDialect dialect) {
    return ledger == null
        ? new SequenceTable(dialect, names)
        : new SequenceTable(dialect, names, new LedgerTable(dialect, ledger, names.nameLength()));
  }

  /**
   * Creates a store with the default names: table {@code sequences}, columns {@code name} and
   * {@code next_value}.
   *
   * @param connections the source of the store's connections, for its use only
   * @return the store
   * @throws IllegalArgumentException if the source chooses its database by the Context of a
   *     subscriber, as Spring's routing factory does: a reservation has no such Context
   */
  public static R2dbcSequenceStore create(ConnectionFactory connections) {
    return builder(connections).build();
  }

  /**
   * Starts the description of a store.
   *
   * @param connections the source of the store's connections, for its use only
   * @return a builder with the defaults
   * @throws IllegalArgumentException as for {@link #create(ConnectionFactory)}
   */
  public static R2dbcSequenceStoreBuilder builder(ConnectionFactory connections) {
    return new R2dbcSequenceStoreBuilder(connections);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One statement on PostgreSQL and H2, two on MySQL and MariaDB; two requests on Spanner, a
   * statement and a commit. If the outcome is unknown, reserve again; the cost is one gap. The
   * store does so itself, at once, after a pool gave it a connection that was lost before its first
   * use here, up to 16 times until work succeeds: a pool may hold connections to a server of the
   * past.
   *
   * <p>A reservation that skips values is a transaction, which reads the counter and then writes
   * it.
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    Mono<SequenceBlock> recorded = reserve(request, work -> work);
    return request.orCreate(
        this,
        fallback != null && ledger != null && ledger.isBestEffort()
            ? fallback.orElse(recorded, reserve(request, StoreWork::withoutLedger))
            : recorded);
  }

  private Mono<SequenceBlock> reserve(ReservationRequest request, UnaryOperator<StoreWork> kind) {
    return named(
        request.sequence(),
        work ->
            connections
                .pastUnserved(kind.apply(work).add(request), work::isLost)
                .map(state -> state.block(request.size())));
  }

  /**
   * {@inheritDoc}
   *
   * <p>One conditional statement. A conflict had no effect and is retried. Any other failure is
   * reported; the release must then not be sent again.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    if (!tail.isRun() || tail.last() > SequenceState.LARGEST_VALUE) {
      return Mono.just(false);
    }
    return named(
        sequence,
        work -> {
          LedgerTable entries = work.table().ledger();
          return entries == null
              ? work.write(connection -> giveBack(work, connection, sequence, tail))
              : work.writeInTransaction(
                  connection ->
                      giveBack(work, connection, sequence, tail)
                          .delayUntil(
                              given ->
                                  given
                                      ? entries.release(connection, sequence, tail.first())
                                      : Mono.empty()));
        });
  }

  private static Mono<Boolean> giveBack(
      StoreWork work, Connection connection, String sequence, SequenceBlock tail) {
    return work.table().compareAndSet(connection, sequence, tail.last() + 1, tail.first());
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, startValue))
        .then(named(sequence, work -> createUnlessPresent(work, sequence, startValue)))
        .then();
  }

  private static Mono<Boolean> createUnlessPresent(StoreWork work, String sequence, long next) {
    return work.write(connection -> work.table().create(connection, sequence, next))
        .onErrorResume(work.failures()::isDuplicate, present -> Mono.just(false));
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(
        sequence, work -> work.read(connection -> work.table().state(connection, sequence)));
  }

  @Override
  public Mono<Boolean> exhaust(String sequence, long limit) {
    return named(
        sequence,
        work ->
            createUnlessPresent(work, sequence, Long.MAX_VALUE)
                .then(work.write(connection -> work.table().exhaust(connection, sequence, limit))));
  }

  @Override
  public Mono<SequenceState> moveForward(String sequence, long nextValue) {
    return named(
        sequence,
        work -> work.write(connection -> work.table().raise(connection, sequence, nextValue)));
  }

  @Override
  public Mono<SequenceState> moveForwardPast(String sequence, String idTable, String idColumn) {
    Identifiers.table("the table of ids", idTable);
    Identifiers.column("the column of ids", idColumn);
    return named(
        sequence,
        work -> {
          R2dbcDialect dialect = work.table().dialect();
          String largest =
              "SELECT MAX(" + dialect.quoteColumn(idColumn) + ") FROM " + dialect.quote(idTable);
          return work.writeInTransaction(
              connection ->
                  GuardedCall.mono(
                          () ->
                              Results.firstValue(
                                  dialect.statement(connection, largest), Long.class))
                      .onErrorMap(
                          failure -> dialect.failure(failure) == FailureKind.TABLE_MISSING,
                          failure ->
                              new IllegalArgumentException(
                                  "the table of ids "
                                      + ShownText.quote(idTable)
                                      + " does not exist",
                                  failure))
                      .map(id -> new SequenceState(sequence, id).advance(1).nextValue())
                      .flatMap(past -> work.table().raise(connection, sequence, past))
                      .switchIfEmpty(work.table().state(connection, sequence)));
        });
  }

  @Override
  public Flux<SequenceState> states() {
    return Pages.all(last -> statesAfter(last == null ? "" : last.name()));
  }

  private Mono<List<SequenceState>> statesAfter(String sequence) {
    return table.flatMap(
        known ->
            work(known)
                .read(connection -> known.statesAfter(connection, sequence))
                .onErrorMap(
                    failure -> known.dialect().failure(failure) == FailureKind.TABLE_MISSING,
                    failure ->
                        new IllegalStateException(
                            "there is no table "
                                + names.table()
                                + ": "
                                + known.ddl()
                                + " (or call createTable)",
                            failure)));
  }

  @Override
  public Mono<Boolean> moveTo(String sequence, long expected, long nextValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, nextValue))
        .then(
            named(
                sequence,
                work ->
                    work.write(
                        connection ->
                            work.table()
                                .compareAndSet(connection, sequence, expected, nextValue))));
  }

  @Override
  public Mono<Boolean> drop(String sequence) {
    return named(
        sequence, work -> work.write(connection -> work.table().delete(connection, sequence)));
  }

  /**
   * Returns a sequence of this store's table, for use inside transactions that the application has
   * begun on a connection.
   *
   * <p>A call is one statement, however many values it takes; two if the database's {@code UPDATE}
   * cannot return the new value. Calls on one connection take turns. Values come on a thread of the
   * driver, for H2 on one of {@code boundedElastic}. A conflict ends the whole transaction, so it
   * is not retried here: run the transaction again. A call outside a transaction fails with an
   * {@link IllegalStateException}. The dialect should be known before, by the driver's name or from
   * the builder. Else the first call asks the database, on a connection of the store's own.
   *
   * <p><b>Keep a subscriber's cancel away from the transaction</b>: {@code
   * Mono.deferContextual(context -> transaction.contextWrite(context).cache())}. A cancel rolls
   * back on its own thread. Meanwhile another thread may be sending a statement of this sequence or
   * of the application. That statement may arrive after the rollback and run outside the
   * transaction, or in the connection's next one, which makes a gap or issues a value twice. A
   * single call that is cancelled before its turn takes no value. One that is cancelled later
   * leaves a gap, unless the transaction is rolled back. It does not delay the calls behind it.
   *
   * <p><b>After an error</b>, roll the transaction back. On Spanner, further calls in a transaction
   * in which a call has failed fail at once: with the first failure if it is transient (a conflict,
   * a broken connection), else with a {@link io.millrace.SequenceStoreException}. But after a
   * failed statement of the <em>application</em>, Spanner's driver never answers a query, and this
   * sequence does not see that statement. Let its error end the transaction. Also put a {@code
   * timeout} on the whole transaction, before {@code cache()}; it rolls the transaction back.
   *
   * <p>The connection is never closed here. After a failure that {@link R2dbcDialect#failure} calls
   * {@link FailureKind#CONNECTION_LOST}, such as from a server that takes no writes since a
   * failover, close the driver's connection before the pool's, or the pool lends it again.
   *
   * @param sequence the name of the sequence
   * @return the sequence; nothing is read before it is used
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public TransactionalSequence<Connection> transactional(String sequence) {
    return transactional(sequence, SkippedValues.NONE);
  }

  /**
   * The same without some values. None is lost before a skipped range.
   *
   * @param sequence the name of the sequence
   * @param skipped the values to skip
   * @return the sequence; nothing is read before it is used
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public TransactionalSequence<Connection> transactional(String sequence, SkippedValues skipped) {
    return new R2dbcTransactionalSequence(
        table, names.checkSequence(sequence), skipped, ledger != null);
  }

  /**
   * Returns the sequences of this store's table by name, for use inside transactions that the
   * application has begun on a connection: one counter for each tenant or stream, for any number of
   * names.
   *
   * <p>A call reads and locks the counters of all its names with one statement, in the order of
   * their names, and moves them with another one. Up to 256 names share a statement. Missing
   * counters that are to be created take a statement more. If another transaction creates one at
   * the same time, the call fails as after a conflict: run the transaction again. What {@link
   * #transactional(String)} says of threads, cancels and errors holds here.
   *
   * <p>Two calls, in any processes, do not deadlock if the name column sorts by code, as that of
   * {@link #createTableDdl} does, and each transaction makes one call. MySQL and MariaDB lock the
   * gap where a missing row would be, so transactions that create counters may deadlock there; the
   * database ends one of them, which is a conflict. Spanner locks nothing when it reads: of two
   * transactions it aborts one.
   *
   * @return the sequences; nothing is read before they are used
   */
  public TransactionalSequences<Connection> transactionals() {
    return new R2dbcTransactionalSequences(table, names, ledger != null, null, SkippedValues.NONE);
  }

  /**
   * Returns the statement that creates the table unless it exists.
   *
   * @param dialect the dialect of the database
   * @return DDL, without a semicolon
   */
  public String createTableDdl(R2dbcDialect dialect) {
    return new SequenceTable(dialect, names).ddl();
  }

  /**
   * Returns the statement that creates the ledger's table unless it exists.
   *
   * @param dialect the dialect of the database
   * @return DDL, without a semicolon
   * @throws IllegalStateException if the store has no ledger
   */
  public String createLedgerDdl(R2dbcDialect dialect) {
    return ledgerOf(tableIn(dialect)).ddl();
  }

  @Override
  public SequenceAudit audit() {
    if (ledger == null) {
      throw noLedger();
    }
    return SequenceAudit.of(
        this,
        new R2dbcLedger(
            ledger.table(),
            new R2dbcLedger.Requests() {
              @Override
              public <T> Mono<T> request(
                  String sequence, BiFunction<StoreWork, LedgerTable, Mono<T>> request) {
                return named(sequence, work -> request.apply(work, ledgerOf(work.table())));
              }
            }));
  }

  private static LedgerTable ledgerOf(SequenceTable table) {
    LedgerTable ledger = table.ledger();
    if (ledger == null) {
      throw noLedger();
    }
    return ledger;
  }

  private static IllegalStateException noLedger() {
    return new IllegalStateException(
        "the store has no ledger: name a table for it with ledger(...) of its builder");
  }

  /**
   * Creates the table, and the ledger's if there is one, unless they exist. Several processes may
   * call this at once. On Spanner it takes as long as a schema change, seconds to minutes. A cancel
   * does not stop the change.
   *
   * @return completes when the table exists. Errors: the driver's
   */
  public Mono<Void> createTable() {
    return table.flatMap(
        known -> {
          LedgerTable ledger = known.ledger();
          Mono<Void> counters = created(known.dialect(), known.ddl());
          return ledger == null ? counters : counters.then(created(known.dialect(), ledger.ddl()));
        });
  }

  /**
   * On Spanner each statement is sent by a thread that may block: its driver waits for the answer.
   */
  private Mono<Void> created(R2dbcDialect dialect, String ddl) {
    return ConnectionSource.of(connections, dialect)
        .offloaded()
        .use(
            connection ->
                GuardedCall.mono(() -> Results.completion(dialect.statement(connection, ddl))))
        // If two processes create a table at once, one fails on PostgreSQL and Spanner.
        .retryWhen(
            Retry.backoff(DDL_RETRIES, DDL_BACKOFF)
                .filter(failure -> isRefused(dialect.failure(failure)))
                .onRetryExhaustedThrow((retry, signal) -> signal.failure()));
  }

  private static boolean isRefused(FailureKind kind) {
    return kind == FailureKind.DUPLICATE_KEY || kind == FailureKind.REFUSED;
  }

  /**
   * Returns how many connections hang now. The work on them was cancelled, mostly by a generator's
   * {@code reservationTimeout}, and has not ended. Each is closed a second after the cancel. While
   * 4 of these do not close, requests fail with a {@link HungConnectionsException}.
   *
   * @return a count at one moment, 0 if no connection hangs
   */
  public int hungConnections() {
    return connections.hung();
  }

  /**
   * Returns how many connections were closed because the work on them did not end after its cancel.
   *
   * @return a count since the store was built
   */
  public long connectionsGivenUp() {
    return connections.givenUp();
  }

  /**
   * Closes the connections that the store keeps for its next requests. Connections that are not
   * used for 30 seconds are closed anyway. So call this only if that is too late, for example to
   * drop the database. The store stays usable, and keeps no connections from then on.
   *
   * @return completes when they are closed, on a thread of the driver. Nothing happens before
   *     subscription. There are no errors
   */
  @Override
  public Mono<Void> close() {
    return kept.close();
  }

  /** True: the row's lock orders reservations in real time. */
  @Override
  public boolean isOrdered() {
    return true;
  }

  /** True. */
  @Override
  public boolean isReleasable() {
    return true;
  }

  /** True. */
  @Override
  public boolean canSkip() {
    return true;
  }

  /** When subscribed to, checks the name, finds the dialect, and translates errors. */
  private <T> Mono<T> named(String sequence, Function<StoreWork, Mono<T>> request) {
    return GuardedCall.mono(
        () -> {
          names.checkSequence(sequence);
          return table.flatMap(
              known -> {
                StoreWork work = work(known);
                return request
                    .apply(work)
                    .onErrorMap(failure -> translate(work, sequence, failure));
              });
        });
  }

  private Throwable translate(StoreWork work, String sequence, Throwable failure) {
    R2dbcDialect dialect = work.table().dialect();
    return fallback != null
            && dialect.failure(failure) == FailureKind.TABLE_MISSING
            && fallback.isNamedIn(failure.getMessage())
        ? fallback.missing(sequence, createLedgerDdl(dialect), failure)
        : work.failures().translate(sequence, failure);
  }

  private StoreWork work(SequenceTable known) {
    R2dbcDialect dialect = known.dialect();
    // H2 and Spanner's driver connect at no cost.
    boolean connectingIsSlow = !dialect.isBlocking() && !dialect.writesInTransactions();
    return new StoreWork(
        known,
        new SequenceFailures(known),
        ConnectionSource.of(connections, connectingIsSlow ? kept : null, dialect),
        retry);
  }

  @Override
  public String toString() {
    return "R2dbcSequenceStore[" + ShownText.name(names.table()) + "]";
  }
}
