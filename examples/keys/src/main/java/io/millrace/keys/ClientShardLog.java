package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Struct;
import io.millrace.key.CompositeKey;
import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import io.millrace.spanner.RangeScatter;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerKeys;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.TableDdl;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A logical shard that the client computes from the time and the user: {@code PRIMARY KEY (ShardId,
 * LastAccess, UserId)}. Within a shard, rows are in order of time. A range of times is one range in
 * each shard.
 *
 * <p>There are several times as many shards as servers. With equal numbers, one server could hold
 * the ends of two shards, and another server none.
 */
final class ClientShardLog {

  static final String NAME = "ClientShardAccessLog";

  static final Shards<Access> SHARDS =
      Shards.farmFingerprint(
          64,
          KeyEncoder.netstrings(
              KeyEncoder.timestamp(ZoneOffset.UTC).from(Access::at),
              KeyEncoder.string().from(Access::user)));

  static final CompositeKey<Access> KEY =
      CompositeKey.<Access>builder()
          .part("ShardId", SHARDS)
          .part("LastAccess", Access::at)
          .part("UserId", Access::user)
          .build();

  static final TableDdl TABLE =
      Access.table(NAME).column("ShardId", ColumnType.int64()).primaryKey(KEY).build();

  private final DatabaseClient client;
  private final RangeScatter byTime;

  ClientShardLog(DatabaseClient client) {
    this.client = client;
    this.byTime =
        RangeScatter.builder(client, NAME)
            .shards(SHARDS.values())
            .key("LastAccess", "UserId")
            .columns("UserId", "LastAccess", "Page")
            .build();
  }

  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.<Access>into(
            client,
            NAME,
            (access, row) -> {
              row.set("ShardId").to(SHARDS.applyAsLong(access));
              access.writeTo(row);
            })
        .rows();
  }

  /**
   * The accesses from a time (inclusive) to another (exclusive), in order: a range of each shard.
   */
  Flux<Access> between(Instant from, Instant to) {
    Flux<Struct> rows =
        byTime.rows(
            KeyRange.closedOpen(Key.of(Times.timestamp(from)), Key.of(Times.timestamp(to))));
    return rows.map(Access::of);
  }

  /** The access of a user at a time: one row, because its shard is known. */
  Mono<Access> find(String user, Instant at) {
    Key key = SpannerKeys.toKey(KEY, new Access(user, at, ""));
    return Rows.of(() -> client.singleUse().read(NAME, KeySet.singleKey(key), Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
