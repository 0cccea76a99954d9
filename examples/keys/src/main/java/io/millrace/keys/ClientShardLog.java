package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import io.millrace.key.CompositeKey;
import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerKeys;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A logical shard that the client computes from the time and the user: {@code PRIMARY KEY
 * (shard_id, last_access, user_id)}. Within a shard, rows are in order of time. A range of times is
 * one range in each shard.
 *
 * <p>There are several times as many shards as servers. With equal numbers, one server could hold
 * the ends of two shards, and another server none.
 */
final class ClientShardLog {

  static final String NAME = "client_shard_access_log";

  static final Shards<Access> SHARDS =
      Shards.farmFingerprint(
          64,
          KeyEncoder.netstrings(
              KeyEncoder.timestamp(ZoneOffset.UTC).from(Access::at),
              KeyEncoder.string().from(Access::user)));

  static final CompositeKey<Access> KEY =
      CompositeKey.<Access>builder()
          .part("shard_id", SHARDS)
          .part("last_access", Access::at)
          .part("user_id", Access::user)
          .build();

  private final DatabaseClient client;

  ClientShardLog(DatabaseClient client) {
    this.client = client;
  }

  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.<Access>into(
            client,
            NAME,
            (access, row) -> {
              row.set("shard_id").to(SHARDS.applyAsLong(access));
              access.writeTo(row);
            })
        .rows();
  }

  /**
   * The accesses from a time (inclusive) to another (exclusive), in order: a range of each shard.
   */
  Flux<Access> between(Instant from, Instant to) {
    return ScatterRead.merged(
        client,
        SHARDS.values(),
        (snapshot, shard) ->
            snapshot.read(NAME, ScatterRead.between(shard, from, to), Access.COLUMNS),
        Access::of,
        Access.BY_TIME);
  }

  /** The access of a user at a time: one row, because its shard is known. */
  Mono<Access> find(String user, Instant at) {
    Key key = SpannerKeys.toKey(KEY, new Access(user, at, ""));
    return Rows.of(() -> client.singleUse().read(NAME, KeySet.singleKey(key), Access.COLUMNS))
        .map(Access::of)
        .singleOrEmpty();
  }
}
