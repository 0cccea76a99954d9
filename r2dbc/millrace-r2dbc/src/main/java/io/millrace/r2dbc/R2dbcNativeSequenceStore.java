package io.millrace.r2dbc;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.GuardedCall;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Takes values from the sequences that a database has of its own ({@code CREATE SEQUENCE}), in
 * PostgreSQL, H2 and MariaDB, through R2DBC. Other programs may use the same sequence at the same
 * time, with {@code nextval} or through Hibernate: no value is given twice. For other databases,
 * such as MySQL, which has no sequences, use {@link R2dbcSequenceStore}.
 *
 * <p><b>Blocks.</b> With {@code INCREMENT BY n}, each value that {@code nextval} returns is the
 * last of a block of {@code n} values that belong to the caller, as for Hibernate's optimizer
 * {@code pooled}, its default, with {@code allocationSize = n}. The value with which the sequence
 * was created is a block of its own. {@link R2dbcNativeSequenceStoreBuilder#pooledLo} makes the
 * returned value the first of its block. With {@code INCREMENT BY 1} there is no difference. Do not
 * use a sequence with both, and not with Hibernate's {@code hilo} or {@code legacy-hilo}.
 *
 * <p>A reservation is one statement that calls {@code nextval} as often as needed, up to 10,000
 * times (MariaDB: 1,000); a larger one sends several. The first reservation of a sequence also
 * reads its definition. What is left of the last block is kept for the next reservation, so a
 * {@code blockSize} need not be a multiple of the increment.
 *
 * <p><b>What it does not promise.</b> No order: values that others reserve, and what is left of
 * blocks, come between. So a generator needs a {@code blockSize} of 2 or more. Values that are
 * buffered when a generator is disposed are a gap, because a sequence does not take values back. If
 * the end of a sequence is near, the values of a reservation that did not fit are gaps, too.
 *
 * <p><b>Altered sequences.</b> Each reservation also reads the definition, in the same statement,
 * so it notices that the increment was altered while it runs, and gives no value twice. On H2 and
 * MariaDB, which store the next value, a larger increment needs a restart in the same statement, to
 * the next value plus the increment less 1: otherwise a program that starts after it takes the next
 * value for the end of a block, and issues those before it again. With {@code pooledLo}, a smaller
 * increment makes the sequence return values of blocks that are in use; reservations then fail with
 * a {@link SequenceStoreException} until the process starts again. A sequence with {@code CYCLE} or
 * an increment below 1 is refused. A sequence that is set back gives its values again, and nothing
 * notices.
 *
 * <p>The name of a sequence may have a schema and a dot before it. It keeps its case: {@code CREATE
 * SEQUENCE order_id} is called {@code order_id} on PostgreSQL and MariaDB, and {@code ORDER_ID} on
 * H2. On PostgreSQL the store needs the right {@code USAGE}, on MariaDB {@code SELECT} and {@code
 * INSERT}; {@link #state} needs {@code SELECT}.
 *
 * <p>For connections, threads and cancels see {@link R2dbcSequenceStore}: give the store its own
 * source of connections.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException}: there is no such sequence; the message has
 * the statement to run. {@link SequenceExhaustedException}: it has come to its end. {@link
 * SequenceStoreException}: the database refused permanently, for example for lack of permission, it
 * has no sequences that this store knows, or this sequence cannot be used. {@link
 * IllegalArgumentException}: a name or a size out of range, or a database without a dialect. {@link
 * IllegalStateException}: a connection that is not in autocommit. Others, such as a broken
 * connection, are the driver's, and may be transient.
 */
public final class R2dbcNativeSequenceStore implements SequenceStore, Closeable {

  /** The most values that one reservation can have: 1,000,000. */
  public static final int LARGEST_RESERVATION = 1_000_000;

  private final Connections connections;
  private final KeptConnections kept;
  private final boolean pooledLo;
  private final Mono<R2dbcDialect> dialect;

  /** The sequences from which values were taken, by name. */
  private final Map<String, NativeSequence> sequences = new ConcurrentHashMap<>();

  /** What a request needs. */
  private record Work(NativeQueries queries, SequenceFailures failures, ConnectionSource source) {

    <T> Mono<T> on(Function<Connection, Mono<T>> body) {
      return ConflictRetry.DEFAULTS.run(source.use(body), failures::isConflict);
    }
  }

  R2dbcNativeSequenceStore(R2dbcNativeSequenceStoreBuilder builder) {
    this.connections = new Connections(builder.connections);
    this.kept = new KeptConnections(builder.connections);
    this.pooledLo = builder.pooledLo;
    this.dialect =
        builder.dialect == null ? R2dbcDialect.of(builder.connections) : Mono.just(builder.dialect);
  }

  /**
   * Creates a store for sequences whose values end their blocks, as Hibernate's are by default.
   *
   * @param connections the source of the store's connections, for its use only
   * @return the store
   * @throws IllegalArgumentException if the source chooses its database by the Context of a
   *     subscriber
   */
  public static R2dbcNativeSequenceStore create(ConnectionFactory connections) {
    return builder(connections).build();
  }

  /**
   * Starts the description of a store.
   *
   * @param connections the source of the store's connections, for its use only
   * @return a builder with the defaults
   * @throws IllegalArgumentException as for {@link #create(ConnectionFactory)}
   */
  public static R2dbcNativeSequenceStoreBuilder builder(ConnectionFactory connections) {
    return new R2dbcNativeSequenceStoreBuilder(connections);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One statement, or more as said above; none if the last reservation left enough. If the
   * outcome is unknown, reserve again; the cost is one gap.
   *
   * @param request for 1 to {@link #LARGEST_RESERVATION} values, and none to skip
   */
  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    if (request.size() > LARGEST_RESERVATION) {
      return Mono.error(
          () ->
              new IllegalArgumentException(
                  "a reservation of a native sequence has 1 to "
                      + LARGEST_RESERVATION
                      + " values, was "
                      + request.size()));
    }
    if (!request.skipped().isEmpty()) {
      return Mono.error(
          () ->
              new UnsupportedOperationException(
                  this + " cannot skip values, were " + request.skipped()));
    }
    return request.orCreate(this, reserveExisting(request.sequence(), (int) request.size()));
  }

  private Mono<SequenceBlock> reserveExisting(String name, int size) {
    return Mono.defer(
        () -> {
          NativeSequence known = sequences.get(name);
          NativeValues values = known == null ? new NativeValues() : known.takeRest();
          return known != null && values.count() >= size
              ? Mono.just(known.take(values, size))
              : named(name, work -> reserve(work, values, size));
        });
  }

  private Mono<SequenceBlock> reserve(Work work, NativeValues values, int size) {
    return connections
        .pastUnserved(
            work.on(connection -> fill(work, connection, values, size)),
            work.source()::isConnectionLost)
        .map(sequence -> sequence.take(values, size))
        .onErrorResume(NativeQueries::isExhausted, failure -> exhausted(work, size, failure));
  }

  /** Adds values until there are enough. Values stay if a later statement fails and is retried. */
  private Mono<NativeSequence> fill(
      Work work, Connection connection, NativeValues values, int size) {
    return known(work, connection)
        .delayUntil(
            sequence ->
                Mono.defer(() -> add(work, connection, sequence, values, size - values.count()))
                    .repeat(() -> values.count() < size));
  }

  private static Mono<Void> add(
      Work work, Connection connection, NativeSequence sequence, NativeValues values, long wanted) {
    if (wanted <= 0) {
      return Mono.empty();
    }
    NativeDefinition before = sequence.definition();
    long calls = (wanted - 1) / before.increment() + 1;
    return work.queries()
        .values(connection, calls)
        .doOnNext(answer -> sequence.add(values, before, answer))
        .then();
  }

  private Mono<NativeSequence> known(Work work, Connection connection) {
    String name = work.queries().sequence();
    NativeSequence known = sequences.get(name);
    return known != null
        ? Mono.just(known)
        : work.queries()
            .definition(connection)
            .map(
                definition ->
                    sequences.computeIfAbsent(
                        name, missing -> new NativeSequence(name, pooledLo, definition)));
  }

  private Mono<SequenceBlock> exhausted(Work work, int size, Throwable failure) {
    String name = work.queries().sequence();
    NativeSequence known = sequences.get(name);
    long limit = known == null ? Long.MAX_VALUE : known.definition().maximum();
    return state(work)
        .map(SequenceState::nextValue)
        .onErrorReturn(Long.MAX_VALUE)
        .flatMap(
            next ->
                Mono.error(
                    new SequenceExhaustedException(
                        name,
                        next,
                        size,
                        limit,
                        "raise its MAXVALUE, or move to another sequence",
                        failure)));
  }

  /**
   * Creates a sequence with {@code INCREMENT BY 1}, unless there is one of this name. For another
   * increment, create it with SQL.
   *
   * @param sequence the name of the sequence
   * @param startValue its first value. If it is below 1, it is also the sequence's smallest
   * @return completes once the sequence exists. Errors: {@link SequenceExhaustedException} if
   *     {@code startValue} is above {@link SequenceState#LARGEST_VALUE}; {@link
   *     SequenceStoreException} if the database refuses, for example for lack of permission
   */
  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, startValue))
        .then(
            named(
                sequence,
                work ->
                    work.on(connection -> work.queries().create(connection, startValue))
                        .onErrorResume(failure -> failedUnlessPresent(work, failure))));
  }

  /** Databases report in many ways that another request created the sequence at the same time. */
  private static Mono<Void> failedUnlessPresent(Work work, Throwable failure) {
    return work.on(connection -> work.queries().definition(connection))
        .onErrorMap(absent -> failure)
        .then();
  }

  /**
   * {@inheritDoc}
   *
   * <p>From two queries, one after the other. The next value is the first one of the next block,
   * whose values may be reserved, but not issued, by this store already. If the sequence has a
   * {@code CACHE}, values in it do not count as next ones; MariaDB has one of 1,000 by default.
   */
  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(sequence, this::state);
  }

  private Mono<SequenceState> state(Work work) {
    String name = work.queries().sequence();
    return work.on(
        connection ->
            work.queries()
                .definition(connection)
                .map(definition -> definition.checked(name))
                .flatMap(
                    definition ->
                        work.queries()
                            .next(connection, definition)
                            .map(next -> new SequenceState(name, firstOf(definition, next)))));
  }

  private long firstOf(NativeDefinition definition, long next) {
    return next == Long.MAX_VALUE
        ? next
        : definition.block(next, definition.increment(), pooledLo).first();
  }

  /** False: other values come between, from other processes and from what is left of blocks. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  /** False: a sequence takes no values back. */
  @Override
  public boolean isReleasable() {
    return false;
  }

  /**
   * Returns how many connections hang now, as {@link R2dbcSequenceStore#hungConnections} does.
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
   * Closes the connections that the store keeps for its next requests, as {@link
   * R2dbcSequenceStore#close} does.
   *
   * @return completes when they are closed, on a thread of the driver. Nothing happens before
   *     subscription. There are no errors
   */
  @Override
  public Mono<Void> close() {
    return kept.close();
  }

  /** When subscribed to, checks the name, finds the dialect, and translates errors. */
  private <T> Mono<T> named(String sequence, Function<Work, Mono<T>> request) {
    return GuardedCall.mono(
        () ->
            dialect.flatMap(
                found -> {
                  Work work = work(found, sequence);
                  return request
                      .apply(work)
                      .onErrorMap(failure -> work.failures().translate(sequence, failure));
                }));
  }

  private Work work(R2dbcDialect found, String sequence) {
    NativeSequenceSql sql = found.nativeSequences();
    if (sql == null) {
      throw new SequenceStoreException(sequence, refusal(found), null);
    }
    NativeQueries queries = new NativeQueries(found, sql, sequence);
    return new Work(
        queries,
        new SequenceFailures(found, queries::notFound),
        // H2 connects at no cost.
        ConnectionSource.of(connections, found.isBlocking() ? null : kept, found));
  }

  /** Why the sequences of a database cannot be used. */
  static String refusal(R2dbcDialect dialect) {
    return "cannot use sequences of "
        + dialect.name()
        + ", only those of PostgreSQL, H2 and MariaDB: keep the counter in a table, with"
        + " R2dbcSequenceStore";
  }

  @Override
  public String toString() {
    return "R2dbcNativeSequenceStore";
  }
}
