package io.millrace.keys;

import static io.millrace.spanner.ddl.KeyColumn.ascending;
import static io.millrace.spanner.ddl.KeyColumn.descending;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Struct;
import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.IndexDdl;
import io.millrace.spanner.ddl.TableDdl;
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

  static final String NAME = "Visitors";
  private static final String VISITS_NAME = "Visits";

  static final Shards<Instant> SHARDS =
      Shards.farmFingerprint(64, KeyEncoder.timestamp(GeneratedShard.ZONE));

  static final TableDdl TABLE =
      TableDdl.named(NAME)
          .column("UserId", ColumnType.string(36))
          .nullableColumn("LastAccess", ColumnType.timestamp())
          .shardColumn("ShardId", SHARDS.count(), "LastAccess")
          .primaryKey("UserId")
          .build();

  /** To avoid: every new time goes to the end of the index. */
  static final IndexDdl RISING = IndexDdl.on(TABLE, "VisitorsRising").columns("LastAccess").build();

  /** Sharded, without users that have no access. */
  static final IndexDdl BY_TIME =
      IndexDdl.on(TABLE, "VisitorsByTime")
          .columns(ascending("ShardId"), descending("LastAccess"))
          .nullFiltered()
          .build();

  static final TableDdl VISITS =
      Access.table(VISITS_NAME).primaryKey("UserId", "Page").interleavedIn(TABLE).build();

  /**
   * Interleaved: the entries of a user are stored with the user, so they spread as the users do.
   */
  static final IndexDdl VISITS_BY_TIME =
      IndexDdl.on(VISITS, "VisitsByTime")
          .columns(ascending("UserId"), descending("LastAccess"))
          .interleavedIn(TABLE)
          .build();

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
              row.set("UserId").to(visitor.user());
              row.set("LastAccess").to(last == null ? null : Times.timestamp(last));
            })
        .indexEntries(2)
        .rows();
  }

  Function<Flux<Access>, Flux<Access>> insertVisits() {
    return SpannerInserts.into(client, VISITS_NAME, Access::writeTo).indexEntries(1).rows();
  }

  /** The users seen at a time or after it, last seen first: a range of each shard of the index. */
  Flux<Visitor> seenSince(Instant time) {
    KeySet.Builder ranges = KeySet.newBuilder();
    SHARDS
        .values()
        .forEach(
            shard ->
                ranges.addRange(
                    KeyRange.closedClosed(Key.of(shard), Key.of(shard, Times.timestamp(time)))));
    return Rows.of(
            () ->
                client
                    .singleUse()
                    .readUsingIndex(
                        NAME, "VisitorsByTime", ranges.build(), List.of("UserId", "LastAccess")))
        .sort(Comparator.comparing((Struct row) -> row.getTimestamp(1)).reversed())
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
                        "VisitsByTime",
                        KeySet.prefixRange(Key.of(user)),
                        List.of("Page"),
                        Options.limit(limit)))
        .map(row -> row.getString("Page"));
  }
}
