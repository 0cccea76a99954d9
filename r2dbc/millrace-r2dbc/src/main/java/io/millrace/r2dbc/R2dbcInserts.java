package io.millrace.r2dbc;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.Inserts;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.internal.LogSafe;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;

/**
 * An insert pipeline into a database reached through R2DBC. Rows are collected into groups, each
 * group is one transaction, and a row is emitted when its transaction has committed.
 *
 * <pre>{@code
 * Flux<Order> saved = orders
 *     .transform(numbers.assign(Order::withNumber))
 *     .transform(Shards.farmFingerprint(64).assign(Order::customer, Order::withShard))
 *     .transform(R2dbcInserts.into(connectionFactory, "orders", Order::writeTo)   // row.set("id", id) ...
 *         .key("id")
 *         .groupSize(500).concurrency(4).rows());
 * }</pre>
 *
 * <p>{@link Inserts} describes groups, demand, order and cancellation. The size of a group is
 * limited to 4 MB by default and 100 MB at most: texts and bytes count by their length, other
 * values as 8 bytes.
 *
 * <p>A group is sent as multi-row statements: on MySQL, MariaDB and H2 usually one, which must fit
 * into {@code max_allowed_packet}, elsewhere of at most 1,000 rows and 4,000 parameters. Rows that
 * set the same columns in the same order share statements, so the rows of a group are not always
 * written in order.
 *
 * <p>On PostgreSQL, such rows are sent with one array per column, whatever their number, if the
 * values of each column are of one class: numbers, {@code Boolean}, {@code String}, {@code UUID},
 * and dates, times and instants of {@code java.time}. The driver's array codecs then encode the
 * values. Enums, {@code byte[]}, {@code ByteBuffer} and the driver's own classes, such as {@code
 * Json}, are bound one by one, as the elements of an array: each is a parameter. An application
 * that has registered a codec that encodes one of these classes in another form than the driver
 * does, or as an array, as no particular type, or its nulls as another one, sets {@link #arrays} to
 * false, or wraps the values in a {@link io.r2dbc.spi.Parameter}, which is bound as it is.
 *
 * <p>If one statement can write the group, and a {@link #key} is declared, it is sent in
 * autocommit, without a transaction. With numbers, such a statement also moves the counter: on
 * PostgreSQL and MariaDB, if the next number is known, as it usually is. See {@code
 * docs/inserts.md}.
 *
 * <p><b>Connections.</b> A group holds one connection from begin to commit, and none while it waits
 * for a retry. The connection must be in autocommit mode when it is acquired. It is returned after
 * success, failure and cancellation. A pool may therefore have fewer connections than {@link
 * #concurrency}: groups then wait for each other. H2's driver blocks and is called on {@code
 * Schedulers.boundedElastic()}.
 *
 * <p><b>Written once.</b> If the database aborts a transaction because of a conflict, the whole
 * transaction is retried after a random backoff: up to 100 attempts, within a minute. If the
 * response to a commit, or to a statement without a transaction, is lost and the {@link #key} is
 * declared, the rows of the group are read back after a delay:
 *
 * <ul>
 *   <li>A row is missing: the commit had no effect, because a commit applies all rows or none. The
 *       group is written again. If the lost commit still arrives, the later of the two is rejected
 *       because the rows exist.
 *   <li>All rows have the values that were sent: they are committed.
 *   <li>A row has other values: its outcome is {@link InsertOutcome.Unknown}. It was changed after
 *       it was written, or it belongs to another writer. Values that the database stores in a
 *       different form (a padded {@code CHAR}, JSON, a {@code double} in a {@code real}) also count
 *       as other values. Numbers are compared by value, and times to the microsecond.
 * </ul>
 *
 * <p>With {@link #numbered} this requires a key that does not depend on the number; rows that are
 * written again receive new numbers. Otherwise, and without a key, the outcome of a lost response
 * is always unknown.
 *
 * <p><b>Outages.</b> If the database is unreachable, a group is retried with increasing backoff, as
 * set by {@link #retries}. After the last attempt its rows are rejected, or unknown if a commit, or
 * a statement without a transaction, was sent. Refusals, such as a duplicate key, are not retried.
 *
 * <p><b>Unresponsive databases.</b> Work that takes longer than {@link #transactionTimeout} is
 * cancelled. One second later its connection is closed. If the database does not notice, the rows
 * stay locked until it does; on PostgreSQL, set {@code idle_in_transaction_session_timeout}. H2's
 * driver blocks, so its connections are not closed but waited for. Meanwhile each retry uses
 * another connection and thread. While 4 or more hang, attempts fail with a {@link
 * HungConnectionsException}.
 *
 * <p>Generated values are not read back, and there are no commit timestamps.
 */
public final class R2dbcInserts<T> extends Inserts<T, Connection, R2dbcInserts<T>> {

  /** The largest limit that can be set. */
  private static final long MOST_CELLS = 10_000_000;

  private static final long MOST_BYTES = 100_000_000;
  private static final long DEFAULT_BYTES = 4_000_000;

  private final Connections connections;
  private final String table;
  private final InsertRow.Mapper<T> mapper;

  private Mono<R2dbcDialect> dialect;
  private List<String> key = List.of();
  private boolean arrays = true;

  private R2dbcInserts(
      ConnectionFactory connections,
      String table,
      BiConsumer<? super T, ? super InsertRow> columns) {
    super(MOST_CELLS, MOST_BYTES, DEFAULT_BYTES);
    this.connections = Connections.ofInserts(Objects.requireNonNull(connections, "connections"));
    this.table = NameRule.table("table", table);
    this.mapper = new InsertRow.Mapper<>(Objects.requireNonNull(columns, "columns"));
    this.dialect = R2dbcDialect.of(connections);
  }

  /**
   * Creates a pipeline that writes each element as one row of a table. Names are quoted, so they
   * must have the case that the database stores: for names created without quotes, upper case on H2
   * and lower case on PostgreSQL.
   *
   * @param connections the source of connections, which must be in autocommit mode
   * @param table the table, optionally qualified with a schema, or a catalog and a schema. If the
   *     database's {@linkplain R2dbcDialect#quote dialect} does not accept the name, all rows are
   *     rejected
   * @param columns sets the columns of an element, for example {@code row.set("id", order.id())}:
   *     at least 1, at most 65,535 on PostgreSQL and 100,000 on H2. It must not block. It is called
   *     once per element, or with {@link #numbered} as often as the assigner
   * @return a pipeline with default options
   * @throws IllegalArgumentException if no database accepts {@code table}: it is empty or contains
   *     control characters
   */
  public static <T> R2dbcInserts<T> into(
      ConnectionFactory connections,
      String table,
      BiConsumer<? super T, ? super InsertRow> columns) {
    return new R2dbcInserts<>(connections, table, columns);
  }

  /**
   * Sets the dialect. By default, {@link R2dbcDialect#of} detects it when the first group is
   * written.
   */
  public R2dbcInserts<T> dialect(R2dbcDialect dialect) {
    this.dialect = Mono.just(Objects.requireNonNull(dialect, "dialect"));
    return this;
  }

  /**
   * Sets the columns by which rows are read back after a commit whose response was lost. The
   * database must have a primary key or a unique index on exactly these columns; without one, rows
   * may be written twice. Every row must set them. By default there is no key, and the outcome of a
   * lost response is unknown. With {@link #numbered}, the key must not depend on the number.
   *
   * <p>A row that was there before the lost commit, with the very values that were sent, counts as
   * written.
   *
   * <p>With a key, a group is usually one statement without a transaction. A proxy in between must
   * not repeat it.
   *
   * @param columns the names as the rows set them, 1 to 32
   * @throws IllegalArgumentException if there are none or too many, one is repeated, or one is not
   *     a name that {@link InsertRow#set(String, Object)} accepts
   */
  public R2dbcInserts<T> key(String... columns) {
    List<String> names = List.of(columns);
    if (names.isEmpty() || names.size() > WrittenRows.MOST_KEY_COLUMNS) {
      throw new IllegalArgumentException(
          "a key has 1 to " + WrittenRows.MOST_KEY_COLUMNS + " columns, was " + names.size());
    }
    names.forEach(name -> NameRule.column("a column of the key", name));
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException(
          "a column of the key is repeated, was " + names.stream().map(LogSafe::name).toList());
    }
    key = names;
    return this;
  }

  /**
   * Sets whether the rows of a group may be sent to PostgreSQL as one array per column. Defaults to
   * true. With false, each value is bound separately, by the driver's codec for its class, as in
   * groups of one row. Some codecs of the application need that; the description of this class
   * names them. Has no effect on other databases.
   *
   * @param allowed false to send no arrays
   */
  public R2dbcInserts<T> arrays(boolean allowed) {
    arrays = allowed;
    return this;
  }

  @Override
  protected GroupTransactions<T, ?> transactions(
      int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
    String into = table;
    List<String> by = key;
    boolean useArrays = arrays;
    return new R2dbcGroups<>(
        connections,
        DialectDetection.kept(
            dialect.map(known -> new InsertStatements(known, into, by, groupSize, useArrays))),
        new GroupBody<>(mapper, numbering(), maxCells, maxBytes),
        limit);
  }

  @Override
  protected R2dbcInserts<T> self() {
    return this;
  }
}
