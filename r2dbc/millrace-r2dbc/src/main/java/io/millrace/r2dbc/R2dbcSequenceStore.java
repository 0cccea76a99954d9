package io.millrace.r2dbc;

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
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.LogSafe;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Keeps the counters of sequences in a database table reached through R2DBC, one row per sequence.
 * Supports PostgreSQL, MySQL, MariaDB and H2; for another database, implement {@link R2dbcDialect}.
 *
 * <p>A reservation is one autocommit statement on PostgreSQL and H2, two on MySQL and MariaDB, and
 * a transaction on other databases. A row serves one reservation at a time across all processes.
 *
 * <p><b>Connections.</b> Give the store the driver's {@code ConnectionFactory}. It opens up to 4
 * connections of its own, and closes them when it has not used any for 30 to 60 seconds. H2's
 * connections are opened for each request. A {@code ConnectionPool} is used as it is. With a pool
 * that is shared with the application, work that waits for a value may hold the last connection,
 * and the reservation waits for that connection: a deadlock. Connections must be in autocommit mode
 * and outside a transaction. Other connections are rejected: if the application did not commit a
 * reservation, its values would be issued twice. Cancelling withdraws a pending request for a
 * connection. Work that has begun completes, or is rolled back if it is not yet committed, and then
 * the connection is returned. After a failure of kind {@link ErrorCategory#CONNECTION_LOST} or
 * {@link ErrorCategory#OTHER}, the driver's connection is closed. The store then replaces all of
 * its own connections, because a failover breaks them all; a {@code ConnectionPool} replaces the
 * one that failed. This does not apply to errors that the store itself detects, such as a missing
 * sequence.
 *
 * <p>All methods return cold {@code Mono}s and never block. Results are delivered on a driver
 * thread, which must not be blocked, or on {@code Schedulers.boundedElastic()} if the driver
 * {@linkplain R2dbcDialect#isBlocking() blocks}. Work that lost a conflict with another transaction
 * had no effect and is retried: up to 100 attempts, which begin within a minute.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException}: the row or the table is missing; the message
 * contains the statements to run. {@link SequenceExhaustedException}: the counter is near {@link
 * Long#MAX_VALUE}. {@link SequenceStoreException}: the database permanently refused the request,
 * for example for lack of permission. {@link IllegalArgumentException}: a name or a size is out of
 * range, the database has no dialect, or the counter's column is not {@code BIGINT}. {@link
 * IllegalStateException}: a connection is not in autocommit mode. {@link
 * TransactionRetriesExhaustedException}: too many conflicts. Other errors, such as a broken
 * connection, come from the driver. They may be transient, and the request may or may not have
 * taken effect.
 */
public final class R2dbcSequenceStore implements SequenceStore, Closeable {

  private static final int DDL_RETRIES = 5;
  private static final Duration DDL_BACKOFF = Duration.ofMillis(100);

  final Connections connections;
  private final SequenceNames names;
  private final Mono<SequenceTable> table;

  R2dbcSequenceStore(R2dbcSequenceStoreBuilder builder) {
    this.connections = Connections.ofStore(builder.connections);
    this.names = builder.names();
    this.table =
        DialectDetection.kept(builder.dialect().map(dialect -> new SequenceTable(dialect, names)));
  }

  /**
   * Creates a store with the default names: table {@code sequences}, columns {@code name} and
   * {@code next_value}.
   *
   * @param connections the source of connections, used only by this store
   * @throws IllegalArgumentException if the source selects a database from the subscriber's
   *     Context, as Spring's routing factory does: a reservation has no such Context
   */
  public static R2dbcSequenceStore create(ConnectionFactory connections) {
    return builder(connections).build();
  }

  /**
   * Returns a builder with the default settings.
   *
   * @param connections the source of connections, used only by this store
   * @throws IllegalArgumentException as for {@link #create(ConnectionFactory)}
   */
  public static R2dbcSequenceStoreBuilder builder(ConnectionFactory connections) {
    return new R2dbcSequenceStoreBuilder(connections);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One statement on PostgreSQL and H2, two on MySQL and MariaDB. If the outcome is unknown,
   * reserve again; the cost is one gap.
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return request.orCreate(
        this,
        named(
            request.sequence(),
            known -> add(known, request).map(state -> state.block(request.size()))));
  }

  private Mono<SequenceState> add(SequenceTable known, ReservationRequest request) {
    String sequence = request.sequence();
    long size = request.size();
    return known.addsInAutocommit()
        ? run(known, false, connection -> known.addInAutocommit(connection, sequence, size))
        : run(known, true, connection -> known.add(connection, sequence, size));
  }

  /**
   * {@inheritDoc}
   *
   * <p>One conditional statement. A conflict had no effect and is retried. After any other failure
   * the release must not be sent again.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    if (!tail.isRun() || tail.last() > SequenceState.LARGEST_VALUE) {
      return Mono.just(false);
    }
    return named(
        sequence,
        known ->
            write(
                known,
                connection ->
                    known.compareAndSet(
                        connection,
                        new SequenceState(sequence, tail.last() + 1),
                        new SequenceState(sequence, tail.first()))));
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, startValue))
        .then(
            named(
                sequence,
                known ->
                    write(known, connection -> known.create(connection, sequence, startValue))
                        .onErrorReturn(
                            failure ->
                                Failures.localKind(known.dialect(), failure)
                                    == ErrorCategory.DUPLICATE_KEY,
                            false)))
        .then();
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(
        sequence,
        known -> connections.use(known.dialect(), connection -> known.state(connection, sequence)));
  }

  @Override
  public Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return named(
        sequence,
        known -> write(known, connection -> known.raise(connection, sequence, nextValue)));
  }

  /**
   * Returns a sequence of this store's table, for use inside transactions that the application has
   * begun on a connection.
   *
   * <p>A call is one statement, however many values it takes, or two if the database's {@code
   * UPDATE} cannot return the new value. Calls on the same connection may overlap where one
   * statement is enough (PostgreSQL), up to what the driver queues, usually 256. Elsewhere make one
   * call after the other: the values of overlapping calls differ, but if the transaction loses a
   * deadlock meanwhile, a statement that the driver has queued takes effect outside it, and leaves
   * a gap. Values are delivered on a driver thread, for H2 on {@code Schedulers.boundedElastic()}.
   * A conflict ends the whole transaction, so it is not retried here: run the transaction again. A
   * call outside a transaction fails with an {@link IllegalStateException}. If neither the driver's
   * name nor the builder determines the dialect, the first call queries the database for it on one
   * of the store's connections.
   *
   * <p><b>Shield the transaction from the subscriber's cancellation</b>: {@code
   * Mono.deferContextual(context -> transaction.contextWrite(context).cache())}. A cancellation
   * rolls back on the cancelling thread, while another thread may be sending a statement of this
   * sequence or of the application. That statement may then run outside the transaction, or in the
   * connection's next one, which leaves a gap or issues a value twice. A single call that is
   * cancelled leaves a gap unless the transaction is rolled back. On H2 a call continues after a
   * cancel, on another thread: end the transaction when all calls have ended.
   *
   * <p><b>After an error</b>, roll the transaction back.
   *
   * <p>The sequence never closes the connection. If {@link R2dbcDialect#failure} classifies a
   * failure as {@link ErrorCategory#CONNECTION_LOST}, for example from a server that has been
   * read-only since a failover, close the driver's connection before the pooled one, or the pool
   * hands it out again.
   *
   * @return the sequence; nothing is read before it is used
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public TransactionalSequence<Connection> transactional(String sequence) {
    return new R2dbcTransactionalSequence(table, names.checkSequence(sequence), null);
  }

  /**
   * Returns the sequences of this store's table by name, for use inside transactions that the
   * application has begun on a connection: for example, a counter for each tenant or stream.
   *
   * <p>A call runs the statements of {@link #transactional(String)} for each name, in the order of
   * the names, and two more for each counter that it creates, which come last. Threads,
   * cancellation and errors are as for {@link #transactional(String)}.
   *
   * <p>Calls in any number of processes do not deadlock if each transaction makes one call and the
   * name column sorts by code point, as that of {@link #createTableDdl} does. MySQL and MariaDB
   * lock the gap where a missing row would be, so transactions that create counters may deadlock;
   * the database then aborts one of them with a conflict.
   *
   * @return the sequences; nothing is read before they are used
   */
  public TransactionalSequences<Connection> transactionals() {
    return new R2dbcTransactionalSequences(table, names, null);
  }

  /**
   * Returns the statement that creates the table if it does not exist.
   *
   * @return DDL, without a semicolon
   */
  public String createTableDdl(R2dbcDialect dialect) {
    return new SequenceTable(dialect, names).ddl();
  }

  /**
   * Creates the table if it does not exist. Several processes may call this at once. A cancel does
   * not stop a statement that has been sent.
   *
   * @return completes when the table exists. Errors: those of the driver
   */
  public Mono<Void> createTable() {
    return table.flatMap(known -> created(known.dialect(), known.ddl()));
  }

  private Mono<Void> created(R2dbcDialect dialect, String ddl) {
    return connections
        .use(dialect, connection -> Results.completion(connection.createStatement(ddl)))
        // If two processes create the table at once, one fails on PostgreSQL.
        .retryWhen(
            Retry.backoff(DDL_RETRIES, DDL_BACKOFF)
                .filter(failure -> isRefused(Failures.kind(dialect, failure)))
                .onRetryExhaustedThrow((retry, signal) -> signal.failure()));
  }

  private static boolean isRefused(ErrorCategory kind) {
    return kind == ErrorCategory.DUPLICATE_KEY || kind == ErrorCategory.REFUSED;
  }

  /**
   * Closes the connections that the store has opened; one in use when its work ends. They are
   * closed anyway after 30 to 60 seconds without use; call this only if that is too late, for
   * example before the database is dropped. The store remains usable, and opens others when it
   * needs them.
   *
   * @return completes when the idle connections are closed, and at the latest after 2 seconds, on a
   *     thread of the driver or of {@code Schedulers.parallel()}. Nothing happens before
   *     subscription. Never fails
   */
  @Override
  public Mono<Void> close() {
    return connections.closePool();
  }

  /** Returns true: the row lock orders reservations in real time. */
  @Override
  public boolean isOrdered() {
    return true;
  }

  /** Returns true. */
  @Override
  public boolean isReleasable() {
    return true;
  }

  /** When subscribed to, checks the name, finds the dialect, and translates errors. */
  private <T> Mono<T> named(String sequence, Function<SequenceTable, Mono<T>> request) {
    return Mono.defer(
        () -> {
          names.checkSequence(sequence);
          return table.flatMap(
              known ->
                  request.apply(known).onErrorMap(failure -> known.translated(sequence, failure)));
        });
  }

  /** Runs statements that write, in autocommit if the database allows it. */
  private <T> Mono<T> write(SequenceTable known, Function<Connection, Mono<T>> body) {
    return run(known, known.dialect().writesInTransactions(), body);
  }

  /** Runs statements, and retries conflicts. */
  private <T> Mono<T> run(
      SequenceTable known, boolean inTransaction, Function<Connection, Mono<T>> body) {
    R2dbcDialect dialect = known.dialect();
    return ConflictRetry.DEFAULTS.run(
        inTransaction
            ? connections.useInTransaction(dialect, body)
            : connections.use(dialect, body),
        failure -> Failures.isConflict(dialect, failure));
  }

  @Override
  public String toString() {
    return "R2dbcSequenceStore[" + LogSafe.name(names.table()) + "]";
  }
}
