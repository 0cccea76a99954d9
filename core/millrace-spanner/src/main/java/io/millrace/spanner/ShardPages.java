package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.TimestampBound;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The pages of each shard's part of a range, at one timestamp.
 *
 * <p>A page starts <em>at</em> the last row of the page before, and that row is then removed. So
 * all neighbouring rows of a shard are compared. If the described key lacks a column, or has one in
 * the wrong place or direction, the read fails before rows are lost or come in the wrong order.
 *
 * @param client reads
 * @param table what is read
 * @param shards the shards, in the order of their indexes
 * @param order the key columns after the shard
 * @param columns the columns to read, the key's among them
 * @param range the range after the shard
 * @param at an exact timestamp
 */
record ShardPages(
    DatabaseClient client,
    String table,
    List<Long> shards,
    KeyOrder order,
    List<String> columns,
    KeyRange range,
    TimestampBound at)
    implements PagedMerge.Pages<KeyedRow> {

  @Override
  public Mono<List<KeyedRow>> read(int source, @Nullable KeyedRow last, int size) {
    long shard = shards.get(source);
    KeySet keys = KeySet.range(last == null ? within(shard) : from(shard, last));
    long limit = last == null ? size : size + 1L;
    return RowFlux.reduced(
            RowFlux.singleUse(
                () -> client.singleUse(at),
                once -> once.readAsync(table, keys, columns, Options.limit(limit))),
            Dispatch::atOnce,
            rows -> rows.map(order::keyed).collectList().map(page -> following(shard, last, page)))
        .retryWhen(ReadRetry.AFTER_LOST_ANSWER);
  }

  private KeyRange within(long shard) {
    return range.toBuilder()
        .setStart(prefixed(shard, range.getStart().getParts()))
        .setEnd(prefixed(shard, range.getEnd().getParts()))
        .build();
  }

  private KeyRange from(long shard, KeyedRow last) {
    return within(shard).toBuilder()
        .setStart(prefixed(shard, last.key()))
        .setStartType(KeyRange.Endpoint.CLOSED)
        .build();
  }

  private static Key prefixed(long shard, Iterable<? extends @Nullable Object> parts) {
    Key.Builder key = Key.newBuilder().append(shard);
    for (Object part : parts) {
      key.appendObject(part);
    }
    return key.build();
  }

  /** Returns the page without {@code last}. Throws if the rows are not in order. */
  private List<KeyedRow> following(long shard, @Nullable KeyedRow last, List<KeyedRow> page) {
    for (int i = 1; i < page.size(); i++) {
      if (order.compare(page.get(i - 1), page.get(i)) >= 0) {
        throw unordered(
            shard,
            "row "
                + i
                + " of a page does not follow: "
                + order.difference(page.get(i - 1), page.get(i)));
      }
    }
    if (last == null) {
      return page;
    }
    if (page.isEmpty() || order.compare(last, page.get(0)) != 0) {
      throw unordered(
          shard,
          page.isEmpty()
              ? "a page does not contain the row at which it should start"
              : "a page starts at the wrong row: " + order.difference(last, page.get(0)));
    }
    return page.subList(1, page.size());
  }

  private IllegalStateException unordered(long shard, String where) {
    return new IllegalStateException(
        ("shard %d of table %s is not in the order %s: %s; name every column of the primary key"
                + " after the shard, in its order and direction")
            .formatted(shard, table, order, where));
  }
}
