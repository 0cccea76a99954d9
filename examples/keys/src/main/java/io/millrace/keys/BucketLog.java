package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import io.millrace.key.CompositeKey;
import io.millrace.key.TimeBuckets;
import io.millrace.spanner.RangeScatter;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.TableDdl;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * {@code [bucket][timestamp][hostname][log-event]}: the events of all hosts in a range of time. The
 * bucket is the millisecond modulo 64. Buckets by the second would not help: all rows of a second
 * would go to one bucket, so the hotspot would only move every second.
 */
final class BucketLog {

  static final String NAME = "BucketLog";

  static final TimeBuckets BUCKETS = TimeBuckets.of(64, ChronoUnit.MILLIS);

  static final CompositeKey<Event> KEY =
      CompositeKey.<Event>builder()
          .part("Bucket", event -> BUCKETS.apply(event.at()))
          .part("HappenedAt", Event::at)
          .part("Host", Event::host)
          .part("Event", Event::event)
          .build();

  static final TableDdl TABLE =
      Event.table(NAME).column("Bucket", ColumnType.int64()).primaryKey(KEY).build();

  private final DatabaseClient client;
  private final RangeScatter byTime;

  BucketLog(DatabaseClient client) {
    this.client = client;
    this.byTime =
        RangeScatter.builder(client, NAME)
            .shards(BUCKETS.values())
            .key("HappenedAt", "Host", "Event")
            .columns("HappenedAt", "Host", "Event", "Text")
            .build();
  }

  Function<Flux<Event>, Flux<Event>> insert() {
    return SpannerInserts.<Event>into(
            client,
            NAME,
            (event, row) -> {
              row.set("Bucket").to(BUCKETS.apply(event.at()));
              event.writeTo(row);
            })
        .rows();
  }

  /** The events of all hosts from a time (inclusive) to another (exclusive), in order of time. */
  Flux<Event> between(Instant from, Instant to) {
    return byTime
        .rows(KeyRange.closedOpen(Key.of(Times.timestamp(from)), Key.of(Times.timestamp(to))))
        .map(Event::of);
  }
}
