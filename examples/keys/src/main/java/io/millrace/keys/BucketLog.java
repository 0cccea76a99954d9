package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.key.TimeBuckets;
import io.millrace.spanner.SpannerInserts;
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

  static final String NAME = "bucket_log";

  static final TimeBuckets BUCKETS = TimeBuckets.of(64, ChronoUnit.MILLIS);

  private final DatabaseClient client;

  BucketLog(DatabaseClient client) {
    this.client = client;
  }

  Function<Flux<Event>, Flux<Event>> insert() {
    return SpannerInserts.<Event>into(
            client,
            NAME,
            (event, row) -> {
              row.set("bucket").to(BUCKETS.apply(event.at()));
              event.writeTo(row);
            })
        .rows();
  }

  /** The events of all hosts from a time (inclusive) to another (exclusive), in order of time. */
  Flux<Event> between(Instant from, Instant to) {
    return ScatterRead.merged(
        client,
        BUCKETS.values(),
        (snapshot, bucket) ->
            snapshot.read(NAME, ScatterRead.between(bucket, from, to), Event.COLUMNS),
        Event::of,
        Event.BY_TIME);
  }
}
