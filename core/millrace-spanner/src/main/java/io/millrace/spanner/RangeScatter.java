package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeyRange.Endpoint;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TimestampBound;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Reads a range of a sharded table, whose primary key begins with a shard that spreads consecutive
 * rows over several servers. A range has values of the key columns after the shard. It is read from
 * all shards, and merged into one {@code Flux} in the order of these columns.
 *
 * <pre>{@code
 * // PRIMARY KEY (ShardId, LastAccess, UserId)
 * RangeScatter log =
 *     RangeScatter.builder(client, "UserAccessLog")
 *         .shards(LongStream.range(0, 64))
 *         .key("LastAccess", "UserId")
 *         .columns("LastAccess", "UserId", "Note")
 *         .build();
 *
 * Flux<Struct> hour = log.rows(KeyRange.closedOpen(Key.of(from), Key.of(to)));
 * Flux<Struct> first = log.rows(KeyRange.prefix(Key.of(from)), 10);
 * }</pre>
 *
 * <p><b>Ranges</b> follow Spanner's rules, without the shard. A key may have fewer parts than there
 * are key columns, and then matches all rows that begin with it: a closed end includes them, an
 * open one excludes them. {@code Key.of()} as a closed end is no bound, so {@code
 * KeyRange.prefix(Key.of())} is everything. The start precedes the end in key order; in a
 * descending column it is the larger value.
 *
 * <p><b>Order.</b> Rows are emitted in Spanner's key order: strings by their UTF-8 bytes, {@code
 * NULL} first, or last in a descending column. Rows with the same key in several shards are emitted
 * in the order in which the shards were specified.
 *
 * <p><b>Consistency.</b> All pages are read at one timestamp, which is fixed at subscription. By
 * default, everything that was committed before is visible, and nothing that is committed later.
 * Spanner retains old versions for an hour unless the database configures otherwise; a subscriber
 * that takes longer receives an error.
 *
 * <p><b>Requests.</b> One query fixes the timestamp. Then pages are read in rounds: first one of
 * each shard; then, when a shard has no row left and the rows before are emitted or wait for
 * demand, one of each shard that has half a page or less. No request stays open while the
 * subscriber has no demand. At most {@code 2.5 * pageSize + 1} rows of each shard are in memory or
 * under way; with the default page size that is about 160,000 in total for up to 4,096 shards, and
 * fewer with a limit. A later page reads one row twice, to check the key columns against the table.
 *
 * <p>Nothing is sent before subscription; the first pages are read then. Rows are delivered on a
 * thread of the Spanner client, or on the thread that requests more; neither may be blocked.
 * Cancelling, an error and the last row of a limit stop the reads; a page that the server is
 * already reading may still be sent.
 *
 * <p><b>Errors</b> end the {@code Flux} at once, and rows that were already read are dropped.
 * Simultaneous failures of other shards go to Reactor's hook for dropped errors. {@link
 * com.google.cloud.spanner.SpannerException}: the client's error, after its retries. {@link
 * IllegalStateException}: the rows of a shard are not in the order of the described key. {@link
 * IllegalArgumentException}: a key column is not of type {@code BOOL}, {@code INT64}, {@code
 * NUMERIC}, {@code STRING}, {@code BYTES}, {@code TIMESTAMP} or {@code DATE}, or their equivalents
 * in PostgreSQL.
 *
 * <p>Immutable and thread-safe.
 */
public final class RangeScatter {

  private static final KeyRange EVERYTHING = KeyRange.prefix(Key.of());

  /** How many rows the first pages of all shards have together, at most, by default. */
  private static final int DEFAULT_ROWS = 65_536;

  private static final int MIN_DEFAULT_PAGE = 16;
  private static final int MAX_DEFAULT_PAGE = 1_000;

  private final DatabaseClient client;
  private final String table;
  private final List<Long> shards;
  private final KeyOrder order;
  private final List<String> columns;
  private final TimestampBound bound;
  private final @Nullable Integer pageSize;
  private final int concurrency;

  RangeScatter(RangeScatterBuilder builder, KeyOrder order, List<String> columns) {
    this.client = builder.client;
    this.table = builder.table;
    this.shards = builder.shards;
    this.order = order;
    this.columns = columns;
    this.bound = builder.bound;
    this.pageSize = builder.pageSize;
    this.concurrency = builder.concurrency;
  }

  /**
   * Returns a builder for a sharded table.
   *
   * @param client the database. Its first use may block, and takes place on {@code
   *     Schedulers.boundedElastic()}
   * @param table the table: a letter, then letters, digits and underscores, at most 128 characters;
   *     a schema and a dot may precede it
   * @return a builder, which needs shards and key columns
   * @throws IllegalArgumentException if the name does not have that form
   */
  public static RangeScatterBuilder builder(DatabaseClient client, String table) {
    return new RangeScatterBuilder(client, table);
  }

  /**
   * Reads everything.
   *
   * @return the rows of all shards in key order
   */
  public Flux<Struct> rows() {
    return rows(EVERYTHING);
  }

  /**
   * Reads a range.
   *
   * @param range keys of the columns after the shard
   * @return the rows of all shards in that range, in key order
   * @throws IllegalArgumentException if a key of the range has more parts than there are key
   *     columns, or is open and has none
   */
  public Flux<Struct> rows(KeyRange range) {
    return rows(range, Long.MAX_VALUE);
  }

  /**
   * Reads the first rows of a range. Prefer this to {@code take}: it reads smaller pages, by
   * default at most about twice a shard's even share of the limit.
   *
   * @param range keys of the columns after the shard
   * @param limit the largest number of rows, 1 or more
   * @return the first rows of all shards in that range, in key order
   * @throws IllegalArgumentException if a key of the range has more parts than there are key
   *     columns, or is open and has none; or if {@code limit} is below 1
   */
  public Flux<Struct> rows(KeyRange range, long limit) {
    Objects.requireNonNull(range, "range");
    checkKey("start", range.getStart(), range.getStartType());
    checkKey("end", range.getEnd(), range.geEndType());
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, was " + limit);
    }
    PagedMerge.Bounds bounds =
        new PagedMerge.Bounds(shards.size(), pageSize(limit), concurrency, limit);
    return Snapshot.of(client, bound)
        .flatMapMany(
            at ->
                PagedMerge.of(
                    new ShardPages(client, table, shards, order, columns, range, at),
                    order,
                    bounds))
        .map(KeyedRow::row);
  }

  private void checkKey(String which, Key key, Endpoint type) {
    int most = order.columns().size();
    if (key.size() > most) {
      throw new IllegalArgumentException(
          "the %s of a range must have at most %d parts, %s, had %d"
              .formatted(which, most, order, key.size()));
    }
    if (key.size() == 0 && type == Endpoint.OPEN) {
      throw new IllegalArgumentException(
          "the %s of a range must have a part or be closed, was empty and open: it leaves out every row"
              .formatted(which));
    }
  }

  /** The default leaves room for shards that hold twice their even part of the limit. */
  private int pageSize(long limit) {
    Integer chosen = pageSize;
    if (chosen != null) {
      return chosen;
    }
    int count = shards.size();
    long page = Math.max(MIN_DEFAULT_PAGE, Math.min(MAX_DEFAULT_PAGE, DEFAULT_ROWS / count));
    long evenPart = Math.min(page, limit / count) + 1;
    return (int) Math.min(page, 2 * evenPart + 8);
  }

  @Override
  public String toString() {
    return "RangeScatter[" + table + ", " + shards.size() + " shards, " + order + "]";
  }
}
