package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import io.millrace.key.CompositeKey;
import io.millrace.spanner.RangeScatter;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerKeys;
import io.millrace.spanner.ddl.TableDdl;
import java.time.Instant;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The sharded log with a generated shard column, so every writer uses the correct shard. A client
 * that can compute the shard still finds a row with one read.
 */
final class ServerShardLog {

  private final DatabaseClient client;
  private final String name;
  private final CompositeKey<Access> key;
  private final RangeScatter byTime;

  ServerShardLog(DatabaseClient client, GeneratedShard shard) {
    this.client = client;
    this.name = name(shard);
    this.key = key(shard);
    this.byTime =
        RangeScatter.builder(client, name)
            .shards(shard.shards().values())
            .key("LastAccess", "UserId")
            .columns("UserId", "LastAccess", "Page")
            .build();
  }

  static String name(GeneratedShard shard) {
    return "AccessLog_" + shard;
  }

  private static CompositeKey<Access> key(GeneratedShard shard) {
    return CompositeKey.<Access>builder()
        .part("ShardId", shard.shards())
        .part("LastAccess", Access::at)
        .part("UserId", Access::user)
        .build();
  }

  static TableDdl table(GeneratedShard shard) {
    return shard.addTo(Access.table(name(shard))).primaryKey(key(shard)).build();
  }

  /** Writes the columns of the application; the server adds the shard. */
  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.into(client, name, Access::writeTo).rows();
  }

  /**
   * The accesses from a time (inclusive) to another (exclusive), in order: a range of each shard.
   */
  Flux<Access> between(Instant from, Instant to) {
    return byTime
        .rows(KeyRange.closedOpen(Key.of(Times.timestamp(from)), Key.of(Times.timestamp(to))))
        .map(Access::of);
  }

  /** The first rows since a time. */
  Flux<Access> since(Instant from, int limit) {
    return byTime
        .rows(KeyRange.closedClosed(Key.of(Times.timestamp(from)), Key.of()), limit)
        .map(Access::of);
  }

  /** The access of a user at a time: one row, because its shard is known. */
  Mono<Access> find(String user, Instant at) {
    Key row = SpannerKeys.toKey(key, new Access(user, at, ""));
    return Rows.of(() -> client.singleUse().read(name, KeySet.singleKey(row), Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
