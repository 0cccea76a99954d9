package io.millrace.r2dbc;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.Inserts;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.Numbering;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.ShownText;
import io.millrace.r2dbc.InsertStatements.Arrays;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;

/**
 * An insert pipeline into a database reached through R2DBC. Rows are collected into groups. Each
 * group is one transaction, and a row is emitted when its transaction is committed.
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
 * <p>{@link Inserts} describes groups, demand, order and cancelling. A group has at most 100 MB, by
 * default 4 MB. Texts and bytes are counted by their length, other values as 8 bytes. On Spanner a
 * group of more than 80,000 cells, one for each column of a row, is split.
 *
 * <p>A group is sent as statements of several rows and at most 1,000 parameters, 950 on Spanner.
 * Rows that set the same columns in the same order share statements, so the rows of a group are not
 * always written in their order.
 *
 * <p>On PostgreSQL such rows are sent as one array for each column, in one statement, if the values
 * of each column are of one class: numbers, {@code Boolean}, {@code String}, {@code UUID} and those
 * of {@code java.time}. The driver's codecs for arrays then encode the values. An application that
 * has registered a codec of its own for one of these classes sets {@link #arrays} to false, or
 * gives the values as a {@link io.r2dbc.spi.Parameter}, which is bound as it is. If the server
 * refuses a statement with arrays and accepts one without, no more are sent, and a warning is
 * logged.
 *
 * <p><b>Connections.</b> A group has one connection from the begin to the commit, and none while it
 * waits for a retry. The connection must be in autocommit when it is acquired. It is returned after
 * success, failure and cancel. So a pool may have fewer connections than {@link #concurrency}:
 * groups then wait for each other. H2's driver blocks and is called on {@code
 * Schedulers.boundedElastic()}.
 *
 * <p><b>Written once.</b> If the database aborts a transaction because of a conflict, the whole
 * transaction is run again after a random backoff: at most 100 times, within a minute. If the
 * answer to a commit is lost and the {@link #key} is declared, the rows of the group are read back
 * after a while:
 *
 * <ul>
 *   <li>A row is missing: the commit had no effect, because a commit applies all rows or none. The
 *       group is written again. If the lost commit still arrives, the second of the two is refused
 *       because the rows exist.
 *   <li>All rows are there with the values that were sent: they are committed.
 *   <li>A row is there with other values: its outcome is {@link InsertOutcome.Unknown}. It was
 *       written and changed since, or it belongs to another writer. Values that the database stores
 *       in its own form (a padded {@code CHAR}, JSON, a {@code double} in a {@code real}) also
 *       count as other values. Numbers are compared by value, and times to the microsecond.
 * </ul>
 *
 * <p>With {@link #numbered} this works if the key does not depend on the number; rows that are
 * written again get the numbers that are next by then. Otherwise, and without a key, the outcome of
 * a lost answer is always unknown.
 *
 * <p><b>Outages.</b> If the database cannot be reached, a group is tried again with growing
 * backoff, as {@link #retries} sets it. Then its rows are rejected, or unknown if a commit was
 * sent. Refusals, such as a duplicate key, are not tried again.
 *
 * <p><b>A silent database.</b> Work that takes longer than {@link #transactionTimeout} is
 * cancelled. Its connection is closed after a further second, and is not used again; nor are those
 * that were open beside it. If the database does not notice this, the rows stay locked until it
 * does. On PostgreSQL set {@code idle_in_transaction_session_timeout}. H2's driver blocks, so its
 * connections are not closed but waited for. Each retry meanwhile takes another connection and
 * thread, until 4 hang; then groups fail with a {@link HungConnectionsException}.
 *
 * <p>Values that the database generates are not read back, and there are no commit timestamps.
 *
 * @param <T> the type of the rows
 */
public final class R2dbcInserts<T> extends Inserts<T, Connection, R2dbcInserts<T>> {

  /** The largest limit that can be set. Spanner accepts less, so its groups are split. */
  private static final long MOST_CELLS = 10_000_000;

  private static final long MOST_BYTES = 100_000_000;
  private static final long DEFAULT_BYTES = 4_000_000;

  private final Connections connections;
  private final String table;
  private final RowMapper<T> mapper;

  private Mono<R2dbcDialect> dialect;
  private List<String> key = List.of();
  private boolean arrays = true;

  private R2dbcInserts(
      ConnectionFactory connections,
      String table,
      BiConsumer<? super T, ? super InsertRow> columns) {
    super(MOST_CELLS, MOST_BYTES, DEFAULT_BYTES);
    this.connections = new Connections(Objects.requireNonNull(connections, "connections"));
    this.table = Identifiers.table("table", table);
    this.mapper = new RowMapper<>(Objects.requireNonNull(columns, "columns"));
    this.dialect = R2dbcDialect.of(connections);
  }

  /**
   * Starts a pipeline that writes each element as one row of a table. Names are quoted, so they
   * must have the case that the database stores. For names that were created without quotes, H2
   * stores upper case and PostgreSQL lower case.
   *
   * @param connections the source of connections, which must be in autocommit
   * @param table the table, optionally with a schema, or a catalog and a schema, before it,
   *     separated by dots. If the database's {@linkplain R2dbcDialect#quote dialect} does not
   *     accept the name, all rows are rejected
   * @param columns sets the columns of an element, at least 1, at most 950 on Spanner, 65,535 on
   *     PostgreSQL and 100,000 on H2: {@code row.set("id", order.id())}. It must not block. It is
   *     called once for each element, or with {@link #numbered} as often as the assigner
   * @param <T> the type of the elements
   * @return a pipeline with every option at its default
   * @throws IllegalArgumentException if no database accepts {@code table}: it is empty, or has
   *     control characters
   */
  public static <T> R2dbcInserts<T> into(
      ConnectionFactory connections,
      String table,
      BiConsumer<? super T, ? super InsertRow> columns) {
    return new R2dbcInserts<>(connections, table, columns);
  }

  /**
   * Sets the dialect. By default, {@link R2dbcDialect#of} finds it when the first group is written.
   *
   * @param dialect the database's dialect
   * @return this
   */
  public R2dbcInserts<T> dialect(R2dbcDialect dialect) {
    this.dialect = Mono.just(Objects.requireNonNull(dialect, "dialect"));
    return this;
  }

  /**
   * Sets the columns by which rows are read back after a commit whose answer was lost. The database
   * must have a primary key or a unique index of exactly these columns; without one, rows may be
   * written twice. Every row has to set them. Defaults to none: the outcome of a lost answer is
   * then unknown. With {@link #numbered}, the values of the key must not depend on the number.
   *
   * @param columns the names as the rows set them, 1 to 32
   * @return this
   * @throws IllegalArgumentException if there are none or too many, one is given twice, or one is
   *     not a name that {@link InsertRow#set(String, Object)} accepts
   */
  public R2dbcInserts<T> key(String... columns) {
    List<String> names = List.of(columns);
    if (names.isEmpty() || names.size() > WrittenRows.MOST_KEY_COLUMNS) {
      throw new IllegalArgumentException(
          "a key has 1 to " + WrittenRows.MOST_KEY_COLUMNS + " columns, was " + names.size());
    }
    names.forEach(name -> Identifiers.column("a column of the key", name));
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException(
          "a column of the key stands twice, was " + names.stream().map(ShownText::name).toList());
    }
    key = names;
    return this;
  }

  /**
   * Sets whether PostgreSQL may be sent the rows of a group as one array for each column. Defaults
   * to true. With false, each value is bound alone, by the driver's codec for its class: needed if
   * the application has registered a codec that writes values differently from the driver's own,
   * because groups of one row are always sent without arrays. Has no effect on other databases,
   * which get none.
   *
   * @param allowed false to send no arrays
   * @return this
   */
  public R2dbcInserts<T> arrays(boolean allowed) {
    arrays = allowed;
    return this;
  }

  @Override
  protected GroupTransactions<T, ?> transactions(long maxCells, long maxBytes, TimeLimit limit) {
    Numbering<T, Connection> numbering = numbering();
    AtomicReference<Arrays> used = new AtomicReference<>(arrays ? Arrays.UNTRIED : Arrays.OFF);
    return numbering == null
        ? new R2dbcGroups<>(
            connections,
            dialect,
            table,
            key,
            mapper::map,
            GroupBody.asPrepared(),
            used,
            ConflictRetry.DEFAULTS,
            limit)
        : new R2dbcGroups<>(
            connections,
            dialect,
            table,
            key,
            PreparedInsert::withoutColumns,
            new GroupBody.Numbered<>(numbering, mapper, maxCells, maxBytes),
            used,
            ConflictRetry.DEFAULTS,
            limit);
  }

  @Override
  protected R2dbcInserts<T> self() {
    return this;
  }
}
