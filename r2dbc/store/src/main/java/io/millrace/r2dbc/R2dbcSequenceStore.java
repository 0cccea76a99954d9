package io.millrace.r2dbc;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.TransactionalSequence;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.ShownText;
import io.millrace.internal.StoreArguments;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Keeps the counters of sequences in a table of a database reached through R2DBC, one row a
 * sequence. Works with PostgreSQL, H2 and Cloud Spanner (GoogleSQL and PostgreSQL dialects), and
 * with others by a {@link R2dbcDialect} of your own.
 *
 * <p>A reservation is one statement in autocommit on PostgreSQL and H2, and a transaction on
 * others. One row serves one reservation at a time, over all processes.
 *
 * <p><b>Connections.</b> Give the store a source of its own, a driver's or a small pool: work that
 * holds a pool's last connection and waits for a value waits for itself. Connections must come in
 * autocommit and outside a transaction; others are refused, since a reservation whose commit is
 * left to somebody else could be lost, and its values issued twice. Cancelling withdraws a request
 * for a connection; work that has begun is finished, or rolled back if it has not been committed,
 * and then the connection is given back.
 *
 * <p>All methods return cold {@code Mono}s and block no thread; results come on a thread of the
 * driver, which must not be blocked, or on {@code Schedulers.boundedElastic()} where the driver
 * {@linkplain R2dbcDialect#isBlocking() blocks}. Work that lost a conflict with another transaction
 * had no effect and is run again, within the builder's limits.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException}: no row or no table; the message has the
 * statements to run. {@link SequenceExhaustedException}: the counter is near {@link
 * Long#MAX_VALUE}. {@link SequenceStoreException}: the database refused for good, for example for
 * lack of permission. {@link IllegalArgumentException}: a name or a size out of range, or a
 * database without a dialect. {@link IllegalStateException}: a connection that is not in
 * autocommit. {@link TransactionRetriesExhaustedException}: too many conflicts. Others, such as a
 * broken connection, come as the driver's; they may pass by themselves, and whether the request
 * took effect is then unknown.
 */
public final class R2dbcSequenceStore implements SequenceStore, Closeable {

  private static final int DDL_RETRIES = 5;
  private static final Duration DDL_BACKOFF = Duration.ofMillis(100);

  private final Connections connections;
  private final KeptConnections kept;
  private final SequenceNames names;
  private final ConflictRetry retry;
  private final Mono<SequenceTable> table;

  R2dbcSequenceStore(R2dbcSequenceStoreBuilder builder) {
    this.connections = new Connections(builder.connections);
    this.kept = new KeptConnections(builder.connections);
    this.names = builder.names();
    this.retry = builder.retry();
    this.table =
        (builder.dialect == null
                ? R2dbcDialect.of(builder.connections)
                : Mono.just(builder.dialect))
            .map(dialect -> new SequenceTable(dialect, names));
  }

  /**
   * A store with the default names: table {@code sequences}, columns {@code name} and {@code
   * next_value}.
   *
   * @param connections the source of the store's connections, for its use only
   * @return the store
   */
  public static R2dbcSequenceStore create(ConnectionFactory connections) {
    return builder(connections).build();
  }

  /**
   * Starts a store with names of your own.
   *
   * @param connections the source of the store's connections, for its use only
   * @return a builder with the default names
   */
  public static R2dbcSequenceStoreBuilder builder(ConnectionFactory connections) {
    return new R2dbcSequenceStoreBuilder(connections);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One statement on PostgreSQL and H2; two requests on Spanner, a statement and a commit. When
   * its outcome is unknown, reserve afresh, at the cost of one gap.
   */
  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return StoreArguments.withSize(
        size,
        () -> named(sequence, work -> work.add(sequence, size).map(state -> state.block(size))));
  }

  /**
   * {@inheritDoc}
   *
   * <p>One conditional statement. A conflict had no effect and is retried; any other failure is
   * reported and the release must not be sent again.
   */
  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    if (!tail.isRun() || tail.last() > SequenceState.LARGEST_VALUE) {
      return Mono.just(false);
    }
    return named(
        sequence,
        work ->
            work.write(
                connection ->
                    work.table()
                        .compareAndSet(connection, sequence, tail.last() + 1, tail.first())));
  }

  /**
   * {@inheritDoc}
   *
   * @param startValue the first value it will give; any number below {@link Long#MAX_VALUE}
   */
  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, startValue))
        .then(
            named(
                sequence,
                work ->
                    work.write(connection -> work.table().create(connection, sequence, startValue))
                        .onErrorResume(work.failures()::isDuplicate, present -> Mono.just(false))))
        .then();
  }

  /** {@inheritDoc} */
  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(
        sequence, work -> work.read(connection -> work.table().state(connection, sequence)));
  }

  /**
   * Moves a counter forward, for example past the ids that a table holds already. It never moves
   * back: a counter at or behind {@code nextValue} stays where it is.
   *
   * @param sequence the name of the sequence
   * @param nextValue the smallest value that the sequence may give from now on
   * @return where the counter stands then
   */
  public Mono<SequenceState> moveForward(String sequence, long nextValue) {
    return named(
        sequence,
        work -> work.write(connection -> work.table().raise(connection, sequence, nextValue)));
  }

  /**
   * Moves a counter past the largest value of a column, read in the same transaction. An empty
   * column leaves it where it is. The whole column is read, unless an index helps.
   *
   * @param sequence the name of the sequence
   * @param idTable the table that holds ids already, with its schema if it has one
   * @param idColumn its column, of type {@code BIGINT} or {@code INT64}
   * @return where the counter stands then. Errors: {@link SequenceExhaustedException} if the column
   *     holds {@link Long#MAX_VALUE}, {@link IllegalArgumentException} if the table of ids does not
   *     exist
   * @throws IllegalArgumentException if a name is not an identifier
   */
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
                  Guarded.mono(() -> Rows.first(dialect.statement(connection, largest), Long.class))
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

  /**
   * A sequence of this store's table for use inside transactions that the application has begun on
   * a connection.
   *
   * <p>A call is one statement (two where the database cannot answer an {@code UPDATE} with what it
   * wrote), however many values it takes; calls on one connection take turns. Values come on a
   * thread of the driver (of {@code boundedElastic} for H2). A conflict is not retried here, since
   * it ends the whole transaction: run that again. A call outside a transaction fails with an
   * {@link IllegalStateException}. The dialect should be known before, by a driver's name or from
   * the builder; else the first call asks the database on a connection of the store's own.
   *
   * <p><b>Keep a subscriber's cancel away from the transaction</b>: {@code
   * Mono.deferContextual(context -> transaction.contextWrite(context).cache())}. A cancel rolls
   * back on its own thread, and a statement that another thread is just sending, of this sequence
   * or of the application, may arrive behind the rollback and run outside the transaction, or in
   * the connection's next one, which makes a gap or gives a value twice. A single call that was
   * cancelled before its turn takes no value; one that was cancelled later leaves a gap, unless the
   * transaction is rolled back. It does not hold up the calls behind it.
   *
   * <p><b>After an error</b>, roll the transaction back. On Spanner, further calls in a transaction
   * in which a call has failed fail at once, with a {@link io.millrace.SequenceStoreException} or,
   * for what may pass by itself (a conflict, a broken connection), with the first failure. But
   * behind a statement of the <em>application</em> that failed, Spanner's driver never answers a
   * query, and nothing tells of that statement here: let its error end the transaction, and put a
   * {@code timeout} on the transaction as a whole, before {@code cache()}, which rolls it back.
   *
   * @param sequence the name of the sequence
   * @return the sequence; nothing is read before it is used
   * @throws IllegalArgumentException if the name is empty or too long
   */
  public TransactionalSequence<Connection> transactional(String sequence) {
    return new R2dbcTransactionalSequence(table, names.checkSequence(sequence));
  }

  /**
   * The statement that creates the table unless it exists.
   *
   * @param dialect the dialect of the database
   * @return DDL, without a semicolon
   */
  public String createTableDdl(R2dbcDialect dialect) {
    return new SequenceTable(dialect, names).ddl();
  }

  /**
   * Creates the table unless it exists; several processes may do so at once. On Spanner it takes as
   * long as a change of schema takes, seconds to minutes. Cancelling does not stop the change.
   *
   * @return completes when the table is there. Errors: what the driver reports
   */
  public Mono<Void> createTable() {
    return table.flatMap(
        known -> {
          // The client of Spanner reads the system's entropy, which may block.
          return ConnectionSource.of(connections, DriverCalls.of(known.dialect()).offloaded())
              .use(
                  connection ->
                      Guarded.mono(
                          () -> Rows.run(known.dialect().statement(connection, known.ddl()))))
              // Of two that create one table at once, PostgreSQL and Spanner let one fail.
              .retryWhen(
                  Retry.backoff(DDL_RETRIES, DDL_BACKOFF)
                      .filter(failure -> isRefused(known.dialect().failure(failure)))
                      .onRetryExhaustedThrow((retry, signal) -> signal.failure()));
        });
  }

  private static boolean isRefused(FailureKind kind) {
    return kind == FailureKind.DUPLICATE_KEY || kind == FailureKind.REFUSED;
  }

  /**
   * Returns how many connections hang now: the work on them was cancelled, mostly by a generator's
   * {@code reservationTimeout}, and has not ended. Each is closed a second after the cancel. While
   * 4 are not closed although they should be, requests fail with a {@link
   * HungConnectionsException}.
   *
   * @return a count at one moment, 0 if all is well
   */
  public int hungConnections() {
    return connections.hung();
  }

  /**
   * Returns how many connections were closed so far because the work on them did not end after its
   * cancel.
   *
   * @return a count since the store was built
   */
  public long connectionsGivenUp() {
    return connections.givenUp();
  }

  /**
   * Closes the connections that the store keeps for its next requests. They are closed by
   * themselves when they have not been used for 30 seconds, so this is for those who cannot wait,
   * for example to drop the database. The store stays usable, and keeps none from then on.
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

  /** Checks the name when subscribed to, finds the dialect, and types the errors. */
  private <T> Mono<T> named(String sequence, Function<StoreWork, Mono<T>> request) {
    return Mono.fromRunnable(() -> names.checkSequence(sequence))
        .then(table)
        .flatMap(
            known -> {
              StoreWork work = work(known);
              return request
                  .apply(work)
                  .onErrorMap(failure -> work.failures().translate(sequence, failure));
            });
  }

  private StoreWork work(SequenceTable known) {
    R2dbcDialect dialect = known.dialect();
    // Others connect at no cost.
    boolean dear = !dialect.isBlocking() && !dialect.writesInTransactions();
    return new StoreWork(
        known,
        new SequenceFailures(known),
        new ConnectionSource(connections, dear ? kept : null, DriverCalls.of(dialect)),
        retry);
  }

  @Override
  public String toString() {
    return "R2dbcSequenceStore[" + ShownText.name(names.table()) + "]";
  }
}
