package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import io.millrace.key.CompositeKey;
import io.millrace.key.Shards;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerKeys;
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
  private final Shards<Access> shards;
  private final CompositeKey<Access> key;

  ServerShardLog(DatabaseClient client, GeneratedShard generated) {
    this.client = client;
    this.name = generated.table();
    this.shards = generated.shards();
    this.key =
        CompositeKey.<Access>builder()
            .part("shard_id", shards)
            .part("last_access", Access::at)
            .part("user_id", Access::user)
            .build();
  }

  /** Writes the columns of the application; the server adds the shard. */
  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.into(client, name, Access::writeTo).rows();
  }

  /** The accesses from a time (inclusive) to another (exclusive), in order. */
  Flux<Access> between(Instant from, Instant to) {
    return ScatterRead.merged(
        client,
        shards.values(),
        (snapshot, shard) ->
            snapshot.read(name, ScatterRead.between(shard, from, to), Access.COLUMNS),
        Access::of,
        Access.BY_TIME);
  }

  /** The first rows since a time. */
  Flux<Access> since(Instant from, int limit) {
    return ScatterRead.merged(
            client,
            shards.values(),
            (snapshot, shard) ->
                snapshot.read(
                    name,
                    KeySet.range(
                        KeyRange.closedClosed(Key.of(shard, Times.timestamp(from)), Key.of(shard))),
                    Access.COLUMNS,
                    Options.limit(limit)),
            Access::of,
            Access.BY_TIME)
        .take(limit);
  }

  /** The access of a user at a time: one row, because its shard is known. */
  Mono<Access> find(String user, Instant at) {
    Key row = SpannerKeys.toKey(key, new Access(user, at, ""));
    return Rows.of(() -> client.singleUse().read(name, KeySet.singleKey(row), Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
