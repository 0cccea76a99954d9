package io.millrace.r2dbc;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.internal.ConflictRetry;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Takes values from the native sequences of PostgreSQL, H2 and MariaDB ({@code CREATE SEQUENCE})
 * through R2DBC. Other programs may use the same sequence concurrently, with {@code nextval} or
 * through Hibernate; no value is issued twice. For other databases, such as MySQL, which has no
 * sequences, use {@link R2dbcSequenceStore}.
 *
 * <p><b>Blocks.</b> With {@code INCREMENT BY n}, each value that {@code nextval} returns is the
 * last of a block of {@code n} values that belong to the caller, as for Hibernate's default
 * optimizer {@code pooled} with {@code allocationSize = n}. The start value of the sequence is a
 * block of one value. {@link #createPooledLo} makes the returned value the first of its block. With
 * {@code INCREMENT BY 1} there is no difference, nor with {@code INCREMENT BY 0} on MariaDB, which
 * makes each value a block. Do not use a sequence in both ways, or together with Hibernate's {@code
 * hilo} or {@code legacy-hilo}.
 *
 * <p>A reservation is one statement that calls {@code nextval} as often as needed, up to 10,000
 * times (MariaDB: 1,000); a larger reservation sends several statements. The first reservation of a
 * sequence also reads its definition. The rest of the last block is kept for the next reservation,
 * so {@code blockSize} need not be a multiple of the increment.
 *
 * <p><b>Limits.</b> Values are not ordered: values reserved by others, and the rests of blocks,
 * come in between. A generator therefore needs a {@code blockSize} of at least 2. Values that are
 * buffered when a generator is disposed become a gap, because a sequence does not take values back.
 * Near the end of a sequence, the values of a reservation that did not fit become gaps as well.
 *
 * <p><b>Altered sequences.</b> The definition is read once: stop all processes that use a sequence
 * before its increment is altered. On H2 and MariaDB, which store the next value, {@code ALTER
 * SEQUENCE} with a larger increment must also restart the sequence, at the next value plus the
 * increment minus 1. Otherwise the next value is taken for the end of a block, and the values
 * before it are issued again. With {@code pooledLo}, a smaller increment makes the sequence return
 * values of blocks that are in use, so it must be restarted past them. A sequence with {@code
 * CYCLE} or a negative increment is rejected. A sequence that is set back issues values again; this
 * is not detected.
 *
 * <p>The name of a sequence may be qualified with a schema. It is case-sensitive: {@code CREATE
 * SEQUENCE order_id} creates {@code order_id} on PostgreSQL and MariaDB, and {@code ORDER_ID} on
 * H2. The store needs the privilege {@code USAGE} on PostgreSQL, and {@code SELECT} and {@code
 * INSERT} on MariaDB; {@link #state} needs {@code SELECT}.
 *
 * <p>Connections, threads and cancellation are as for {@link R2dbcSequenceStore}: use a separate
 * source of connections for the store.
 *
 * <p><b>Errors.</b> {@link SequenceNotFoundException}: there is no such sequence; the message
 * contains the statement to run. {@link SequenceExhaustedException}: the sequence has reached its
 * end. {@link SequenceStoreException}: the database permanently refused the request, for example
 * for lack of permission, or this store cannot use the database's sequences or this sequence.
 * {@link IllegalArgumentException}: a name or a size is out of range, or the database has no
 * dialect. {@link IllegalStateException}: a connection is not in autocommit mode. Other errors,
 * such as a broken connection, come from the driver and may be transient.
 */
public final class R2dbcNativeSequenceStore implements SequenceStore, Closeable {

  /** The maximum number of values in one reservation: 1,000,000. */
  public static final int LARGEST_RESERVATION = 1_000_000;

  private final Connections connections;
  private final boolean pooledLo;
  private final Mono<R2dbcDialect> dialect;

  /** The sequences from which values were taken, by name. */
  private final Map<String, NativeSequence> sequences = new ConcurrentHashMap<>();

  private R2dbcNativeSequenceStore(ConnectionFactory connections, boolean pooledLo) {
    this.connections =
        Connections.ofStore(R2dbcSequenceStoreBuilder.requireOneDatabase(connections));
    this.pooledLo = pooledLo;
    this.dialect = R2dbcDialect.of(connections);
  }

  /**
   * Creates a store for sequences whose values end their blocks, as with Hibernate's default
   * optimizer.
   *
   * @param connections the source of connections, used only by this store
   * @throws IllegalArgumentException if the source selects a database from the subscriber's Context
   */
  public static R2dbcNativeSequenceStore create(ConnectionFactory connections) {
    return new R2dbcNativeSequenceStore(connections, false);
  }

  /**
   * Creates a store for sequences whose values begin their blocks, as with Hibernate's optimizer
   * {@code pooled-lo}.
   *
   * @param connections as for {@link #create}
   * @throws IllegalArgumentException as for {@link #create}
   */
  public static R2dbcNativeSequenceStore createPooledLo(ConnectionFactory connections) {
    return new R2dbcNativeSequenceStore(connections, true);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Usually one statement; none if the last reservation left enough values. If the outcome is
   * unknown, reserve again; the cost is one gap.
   *
   * @param request a request for 1 to {@link #LARGEST_RESERVATION} values
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
    int size = (int) request.size();
    return request.orCreate(this, named(request.sequence(), sequence -> reserve(sequence, size)));
  }

  private Mono<SequenceBlock> reserve(NativeSequence sequence, int size) {
    List<SequenceBlock> blocks = sequence.takeRest();
    if (NativeSequence.count(blocks) >= size) {
      return Mono.just(sequence.take(blocks, size));
    }
    return on(sequence, connection -> sequence.fill(connection, blocks, size))
        .then(
            Mono.fromSupplier(
                () -> {
                  sequences.putIfAbsent(sequence.name(), sequence);
                  return sequence.take(blocks, size);
                }))
        .onErrorMap(
            NativeSequence::isExhausted,
            failure ->
                new SequenceExhaustedException(
                    sequence.name(),
                    Long.MAX_VALUE,
                    size,
                    sequence.maximum(),
                    "raise its MAXVALUE, or move to another sequence",
                    failure));
  }

  /**
   * Creates a sequence with {@code INCREMENT BY 1} if it does not exist, on a Galera cluster of
   * MariaDB with {@code INCREMENT BY 0}. For another increment, create the sequence with SQL.
   *
   * @param startValue the first value, or the smallest on a cluster. If it is below 1, it is also
   *     the sequence's {@code MINVALUE}
   * @return completes when the sequence exists. Errors: {@link SequenceExhaustedException} if
   *     {@code startValue} is greater than {@link SequenceState#LARGEST_VALUE}; {@link
   *     SequenceStoreException} if the database refuses, for example for lack of permission
   */
  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return Mono.fromCallable(() -> SequenceState.starting(sequence, startValue))
        .then(
            named(
                sequence,
                known ->
                    on(known, connection -> known.create(connection, startValue))
                        .onErrorResume(
                            // reported in many ways if another request creates it at the same time
                            failure ->
                                on(known, known::definition)
                                    .onErrorMap(absent -> failure)
                                    .then())));
  }

  /**
   * {@inheritDoc}
   *
   * <p>One query, and another one for the definition if it is not known. The next value is the
   * first value of the next block. If the sequence has a {@code CACHE}, cached values count as
   * used; MariaDB caches 1,000 values by default.
   */
  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(
        sequence, known -> on(known, known::next).map(next -> new SequenceState(sequence, next)));
  }

  /** Returns false: values of other processes and the rests of blocks come in between. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  /** Returns false: a sequence does not take values back. */
  @Override
  public boolean isReleasable() {
    return false;
  }

  /**
   * Closes the connections that the store has opened, as {@link R2dbcSequenceStore#close} does.
   *
   * @return completes when that one does. Nothing happens before subscription. Never fails
   */
  @Override
  public Mono<Void> close() {
    return connections.closePool();
  }

  /** When subscribed to, checks the name, finds the dialect, and translates errors. */
  private <T> Mono<T> named(String sequence, Function<NativeSequence, Mono<T>> request) {
    return Mono.defer(
        () ->
            dialect.flatMap(
                found -> {
                  NativeSequence known = sequences.get(sequence);
                  NativeSequence used = known == null ? sequence(found, sequence) : known;
                  return request.apply(used).onErrorMap(used::translated);
                }));
  }

  private NativeSequence sequence(R2dbcDialect found, String name) {
    NativeSequenceSql sql = found.nativeSequences();
    if (sql == null) {
      throw new SequenceStoreException(
          name,
          "cannot use sequences of "
              + found.name()
              + ", only those of PostgreSQL, H2 and MariaDB: keep the counter in a table, with"
              + " R2dbcSequenceStore",
          null);
    }
    return new NativeSequence(found, sql, name, pooledLo);
  }

  /** Runs statements in autocommit, and retries conflicts. */
  private <T> Mono<T> on(NativeSequence sequence, Function<Connection, Mono<T>> body) {
    return ConflictRetry.DEFAULTS.run(
        connections.use(sequence.dialect(), body),
        failure -> Failures.isConflict(sequence.dialect(), failure));
  }
}
