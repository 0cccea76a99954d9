package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Mutation;
import io.millrace.InvalidOptionException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.Inserts;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.Numbering;
import io.millrace.insert.spi.TimeLimit;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * An insert pipeline into Cloud Spanner, which collects rows into groups, writes each group in one
 * read-write transaction of {@link SpannerTransactions}, and emits each row when its transaction is
 * committed.
 *
 * <pre>{@code
 * Flux<Order> saved = orders
 *     .transform(numbers.assign(Order::withNumber))
 *     .transform(Shards.farmFingerprint(64).assign(Order::customer, Order::withShard))
 *     .transform(SpannerInserts.into(client, "orders", Order::writeTo)
 *         .groupSize(500).concurrency(8).rows());
 * }</pre>
 *
 * <p>{@link Inserts} describes groups, demand, order and cancelling. A group stays within Spanner's
 * limits of a commit: 80,000 cells, where a write counts one for each of its columns and one for
 * each of its {@linkplain #indexEntries index entries}, and 100 MB, by default 4 MB.
 *
 * <p><b>Written once.</b> A transaction that Spanner aborts is retried as a whole. When the answer
 * to a commit is lost, the group's rows are read back after a while, by primary key. Because a
 * commit is atomic, a missing row means that it had no effect, and the group is written again. If
 * the lost commit arrives later, one of the two is rejected because the rows exist. If all rows
 * exist with the values that were sent, they are committed. A row that exists with other values has
 * the outcome {@link InsertOutcome.Unknown}: it was changed after it was written, or written by
 * another program. Spanner may also return JSON and arrays of NUMERIC in another form. Thus no row
 * is written twice, and no row that was written is reported as rejected, unless another writer
 * deletes these rows in the meantime, or inserts identical ones.
 *
 * <p>Reading back requires keys that the client determines, and permission to read the rows. The
 * outcome stays unknown if Spanner generates a part of the key, if the mutations are not inserts,
 * and with {@link #numbered} if the key depends on the number, or the rows are upserts. Other
 * numbered rows that are written again receive the then next numbers. A group that has only upserts
 * is written again, unless all its rows exist as they were sent and none has a commit timestamp.
 *
 * <p><b>Outages.</b> While Spanner cannot be reached, a group is retried with a backoff, according
 * to {@link #retries}. After the last retry its rows are rejected, or unknown if a commit may have
 * been sent. With mutations they are unknown, because the client begins and commits in one step.
 * Rejections, for example of a duplicate key, are not retried.
 *
 * <p><b>A silent network.</b> Work that takes longer than {@link #transactionTimeout} is cancelled,
 * but keeps its session until the client ends its request: by default after up to 140 seconds. A
 * client with {@link SequenceClientSettings} that is used for inserts only, with a request timeout
 * below {@code transactionTimeout}, does so after that timeout, and then reconnects.
 */
public final class SpannerInserts<T> extends Inserts<T, SpannerTransaction, SpannerInserts<T>> {

  private static final long DEFAULT_BYTES = 4_000_000;

  /** Makes a row's mutations; {@code update} says whether they update rows that exist. */
  @FunctionalInterface
  private interface Mapping<T> {
    Iterable<Mutation> map(T row, boolean update);
  }

  private final DatabaseClient client;
  private final Mapping<T> mapping;

  /** Whether this object chooses the operation and the table, and not the mapping. */
  private final boolean choosesTarget;

  private final WrittenRows writtenRows;

  private boolean update;
  private boolean dml;
  private int indexEntries;
  private SpannerTransactionOptions transactionOptions = SpannerTransactionOptions.defaults();

  private SpannerInserts(DatabaseClient client, Mapping<T> mapping, boolean choosesTarget) {
    super(MutationSize.MAX_CELLS, MutationSize.MAX_BYTES, DEFAULT_BYTES);
    this.client = Objects.requireNonNull(client, "client");
    this.mapping = mapping;
    this.choosesTarget = choosesTarget;
    this.writtenRows = new WrittenRows(client);
  }

  /**
   * Returns a pipeline that writes each element as one row of a table.
   *
   * @param table the table: a letter, then letters, digits and underscores; a schema and a dot may
   *     precede it
   * @param columns sets the columns of an element: {@code row.set("id").to(order.id())}; must not
   *     block, and is called once for each element, or with {@link #numbered} as often as the
   *     assigner
   * @return a pipeline with every option at its default
   * @throws IllegalArgumentException if {@code table} does not have that form
   */
  public static <T> SpannerInserts<T> into(
      DatabaseClient client,
      String table,
      BiConsumer<? super T, ? super Mutation.WriteBuilder> columns) {
    Identifiers.table("table", table);
    Objects.requireNonNull(columns, "columns");
    return new SpannerInserts<>(
        client,
        (row, update) -> {
          Mutation.WriteBuilder mutation =
              update ? Mutation.newInsertOrUpdateBuilder(table) : Mutation.newInsertBuilder(table);
          columns.accept(row, mutation);
          return List.of(mutation.build());
        },
        true);
  }

  /**
   * Returns a pipeline that writes each element as several mutations, which are committed together,
   * for example an order in three tables.
   *
   * @param mutations maps an element to its mutations, at least one; must not block, and is called
   *     once for each element, or with {@link #numbered} as often as the assigner
   * @return a pipeline with every option at its default
   */
  public static <T> SpannerInserts<T> mutations(
      DatabaseClient client, Function<? super T, ? extends Iterable<Mutation>> mutations) {
    Objects.requireNonNull(mutations, "mutations");
    return new SpannerInserts<>(client, (row, update) -> mutations.apply(row), false);
  }

  /**
   * Updates existing rows instead of rejecting them. Only for {@link #into}, and not with {@link
   * #dml}. After a lost answer, such a group may be written twice with the same values, and the
   * second write overwrites what other programs have written in between.
   *
   * @throws IllegalStateException if the pipeline is from {@link #mutations}, or {@code dml} is set
   */
  public SpannerInserts<T> insertOrUpdate() {
    if (!choosesTarget || dml) {
      throw new IllegalStateException(
          dml
              ? "insertOrUpdate() cannot be combined with dml()"
              : "insertOrUpdate() is for into(...): these mutations have their operation already");
    }
    update = true;
    return this;
  }

  /**
   * Writes with DML, one batch of {@code INSERT} statements for each group, instead of mutations.
   * This is slower, and meant for tables on which the client may only run DML. Every mutation must
   * be an insert.
   *
   * @throws IllegalStateException if {@link #insertOrUpdate} is set
   */
  public SpannerInserts<T> dml() {
    if (update) {
      throw new IllegalStateException("dml() cannot be combined with insertOrUpdate()");
    }
    dml = true;
    return this;
  }

  /**
   * Sets how many index entries each mutation writes, which count against {@code maxCells}.
   * Defaults to 0.
   *
   * @param entries 0 or more: the number of the table's secondary indexes
   * @throws InvalidOptionException if {@code entries} is negative
   */
  public SpannerInserts<T> indexEntries(int entries) {
    if (entries < 0) {
      throw new InvalidOptionException("indexEntries", entries, "must not be negative");
    }
    indexEntries = entries;
    return this;
  }

  /**
   * Sets the options of the transactions: tag, priority, commit delay, and the retries of aborted
   * ones, which do not count as {@link #retries}.
   */
  public SpannerInserts<T> transactionOptions(SpannerTransactionOptions options) {
    transactionOptions = Objects.requireNonNull(options, "options");
    return this;
  }

  @Override
  protected GroupTransactions<T, ?> transactions(
      int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
    boolean updating = update;
    RowMapper<T> mapper = new RowMapper<>(row -> mapping.map(row, updating), indexEntries, dml);
    GroupBody<T> body = dml ? GroupBody.dml(DatabaseDialect.of(client)) : GroupBody.mutations();
    Numbering<T, SpannerTransaction> numbering = numbering();
    if (numbering == null) {
      return groups(mapper::map, body, limit);
    }
    return groups(
        row -> new PreparedMutations<>(row, List.of(), 0, 0),
        new GroupBody.Numbered<>(numbering, mapper::map, body, maxCells, maxBytes),
        limit);
  }

  private SpannerGroups<T> groups(
      Function<T, PreparedMutations<T>> mapper, GroupBody<T> body, TimeLimit limit) {
    return new SpannerGroups<>(
        client, transactionOptions, mapper, body, writtenRows, choosesTarget, limit);
  }

  @Override
  protected SpannerInserts<T> self() {
    return this;
  }
}
