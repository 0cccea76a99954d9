package io.millrace.r2dbc;

import io.millrace.insert.GroupWriter;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.Inserts;
import io.millrace.insert.Numbering;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.ShownText;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;

/**
 * An insert pipeline into a database reached through R2DBC: rows are gathered into groups, each
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
 * default 4 MB; texts and bytes are counted by their length, other values as 8 bytes. On Spanner a
 * group of more than 80,000 cells, one for each column of a row, is split. A group is sent as
 * statements of several rows and at most 1,000 parameters, 950 on Spanner; rows that set the same
 * columns in the same order share statements, so a group is written columns by columns and not
 * quite in its order.
 *
 * <p><b>Connections.</b> A group has one connection, in autocommit when it is lent, from the begin
 * to the commit, and none while it waits to be tried again. It is given back after success, failure
 * and cancelling. So a pool may have fewer connections than {@link #concurrency}: groups then wait
 * for each other. A driver that blocks, which is H2's, is called on {@code
 * Schedulers.boundedElastic()}.
 *
 * <p><b>Written once.</b> A transaction that stands in another's way, so that the database aborts
 * it, is run again as a whole, after a random wait: at most 100 times, within a minute. When the
 * answer to a commit is lost and the {@link #key} is declared, the group's rows are read back after
 * a while. If one of them is missing, the commit had no effect, since a commit applies all or
 * nothing: the group is written again; should the lost commit arrive after all, the second of the
 * two is refused because the rows exist. If all are there with the values that were sent, they are
 * committed. A row that is there with other values has the outcome {@link InsertOutcome.Unknown}:
 * it was written and changed since, or is another's; values that the database spells in its own way
 * (a padded {@code CHAR}, JSON, a {@code double} in a {@code real}) show other values too, while
 * numbers are compared by value and times to the microsecond. Without a key, and with {@link
 * #numbered}, the outcome of a lost answer is always unknown.
 *
 * <p><b>Outages.</b> Where the database cannot be reached, a group is tried again, with growing
 * waits, as {@link #retries} says; then its rows are rejected, or unknown if a commit was sent.
 * Refusals, a duplicate key among them, are not tried again.
 *
 * <p>Nothing that the database generates is read back, and it gives no commit timestamps.
 *
 * @param <T> the type of the rows
 */
public final class R2dbcInserts<T> extends Inserts<T, Connection, R2dbcInserts<T>> {

  /** What a group may be asked to hold; Spanner takes less, and its groups are split. */
  private static final long MOST_CELLS = 10_000_000;

  private static final long MOST_BYTES = 100_000_000;
  private static final long DEFAULT_BYTES = 4_000_000;

  private final Connections connections;
  private final String table;
  private final RowMapper<T> mapper;

  private Mono<R2dbcDialect> dialect;
  private List<String> key = List.of();

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
   * Starts a pipeline that writes each element as one row of a table. Names are quoted, so their
   * case is the database's: H2 keeps names in capitals unless they were quoted when they were made,
   * PostgreSQL in small letters.
   *
   * @param connections where connections come from; lends them in autocommit
   * @param table the table; a schema, or a catalog and a schema, may stand before it, with dots.
   *     Names that the database's {@linkplain R2dbcDialect#quote dialect} does not take have their
   *     rows rejected
   * @param columns sets the columns of an element, at least 1, at most 950 on Spanner, 65,535 on
   *     PostgreSQL and 100,000 on H2: {@code row.set("id", order.id())}; must not block, and is
   *     called once an element, or with {@link #numbered} once an attempt
   * @param <T> the type of the elements
   * @return a pipeline with every option at its default
   * @throws IllegalArgumentException if no database takes {@code table}: it is empty, or has
   *     control characters
   */
  public static <T> R2dbcInserts<T> into(
      ConnectionFactory connections,
      String table,
      BiConsumer<? super T, ? super InsertRow> columns) {
    return new R2dbcInserts<>(connections, table, columns);
  }

  /**
   * Gives the dialect. Defaults to what {@link R2dbcDialect#of} finds when the first group is
   * written.
   *
   * @param dialect the database's dialect
   * @return this
   */
  public R2dbcInserts<T> dialect(R2dbcDialect dialect) {
    this.dialect = Mono.just(Objects.requireNonNull(dialect, "dialect"));
    return this;
  }

  /**
   * Declares by which columns rows are looked for after a commit whose answer was lost. The
   * database must have a primary key or a unique index of just these columns: without one, rows may
   * be written twice. Every row has to set them. Defaults to none, which leaves lost answers
   * unknown.
   *
   * @param columns the names as the rows set them, 1 to 32
   * @return this
   * @throws IllegalArgumentException if there are none or too many, one stands twice, or one is not
   *     a name as {@link InsertRow#set(String, Object)} takes it
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

  @Override
  protected GroupWriter<T, ?> writer(boolean isolate, long maxCells, long maxBytes) {
    Numbering<T, Connection> numbering = numbering();
    R2dbcGroups<T> groups =
        numbering == null
            ? new R2dbcGroups<>(
                connections,
                dialect,
                table,
                key,
                mapper::map,
                GroupBody.asPrepared(),
                ConflictRetry.DEFAULTS)
            : new R2dbcGroups<>(
                connections,
                dialect,
                table,
                key,
                PreparedInsert::later,
                new GroupBody.Numbered<>(numbering, mapper, maxCells, maxBytes),
                ConflictRetry.DEFAULTS);
    return oneTransactionAGroup(groups, isolate);
  }

  @Override
  protected R2dbcInserts<T> self() {
    return this;
  }
}
