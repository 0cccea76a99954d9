package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import io.millrace.spanner.SpannerInserts;
import java.time.Instant;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * {@code [hostname][log-event][timestamp]}: the events of a host and a kind, in a range of time.
 */
final class HostLog {

  static final String NAME = "host_log";

  private final DatabaseClient client;

  HostLog(DatabaseClient client) {
    this.client = client;
  }

  Function<Flux<Event>, Flux<Event>> insert() {
    return SpannerInserts.into(client, NAME, Event::writeTo).rows();
  }

  /** The events from a time (inclusive) to another (exclusive), in order of time. */
  Flux<Event> between(String host, String event, Instant from, Instant to) {
    KeyRange range =
        KeyRange.closedOpen(
            Key.of(host, event, Times.timestamp(from)), Key.of(host, event, Times.timestamp(to)));
    return Rows.of(() -> client.singleUse().read(NAME, KeySet.range(range), Event.COLUMNS))
        .map(Event::of);
  }
}
