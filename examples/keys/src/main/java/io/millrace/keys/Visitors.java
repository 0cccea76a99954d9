package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Struct;
import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import io.millrace.spanner.SpannerInserts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Indexes on a rising time. The tables are spread by user, but an index on the time alone is not,
 * and every write to the table waits for it.
 */
final class Visitors {

  /**
   * A user.
   *
   * @param user the id of the user
   * @param lastAccess the time of the user's last access; null if there was none
   */
  record Visitor(String user, @Nullable Instant lastAccess) {}

  static final String NAME = "visitors";
  private static final String VISITS_NAME = "visits";

  static final Shards<Instant> SHARDS =
      Shards.farmFingerprint(64, KeyEncoder.timestamp(GeneratedShard.ZONE));

  private final DatabaseClient client;

  Visitors(DatabaseClient client) {
    this.client = client;
  }

  Function<Flux<Visitor>, Flux<Visitor>> insert() {
    return SpannerInserts.<Visitor>into(
            client,
            NAME,
            (visitor, row) -> {
              Instant last = visitor.lastAccess();
              row.set("user_id").to(visitor.user());
              row.set("last_access").to(last == null ? null : Times.timestamp(last));
            })
        .indexEntries(2)
        .rows();
  }

  Function<Flux<Access>, Flux<Access>> insertVisits() {
    return SpannerInserts.into(client, VISITS_NAME, Access::writeTo).indexEntries(1).rows();
  }

  /** The users seen at a time or after it, last seen first: a range of each shard of the index. */
  Flux<Visitor> seenSince(Instant time) {
    return ScatterRead.merged(
            client,
            SHARDS.values(),
            (snapshot, shard) ->
                snapshot.readUsingIndex(
                    NAME,
                    "visitors_by_time",
                    KeySet.range(
                        KeyRange.closedClosed(Key.of(shard), Key.of(shard, Times.timestamp(time)))),
                    List.of("user_id", "last_access")),
            Function.identity(),
            Comparator.comparing((Struct row) -> row.getTimestamp(1)).reversed())
        .map(row -> new Visitor(row.getString(0), Times.instant(row.getTimestamp(1))));
  }

  /** The pages that a user looked at last, newest first. */
  Flux<String> newestPages(String user, int limit) {
    return Rows.of(
            () ->
                client
                    .singleUse()
                    .readUsingIndex(
                        VISITS_NAME,
                        "visits_by_time",
                        KeySet.prefixRange(Key.of(user)),
                        List.of("page"),
                        Options.limit(limit)))
        .map(row -> row.getString("page"));
  }
}
