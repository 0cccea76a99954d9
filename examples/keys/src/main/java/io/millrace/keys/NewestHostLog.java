package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import io.millrace.key.DescendingTime;
import io.millrace.spanner.SpannerInserts;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * {@code [hostname][log-event][timestamp DESC]}: the newest events of a host. In PostgreSQL, a
 * primary key cannot be descending, so the key contains a number that falls as time rises.
 */
final class NewestHostLog {

  static final String NAME = "newest_host_log";

  private final DatabaseClient client;
  private final Dialect dialect;

  NewestHostLog(DatabaseClient client, Dialect dialect) {
    this.client = client;
    this.dialect = dialect;
  }

  Function<Flux<Event>, Flux<Event>> insert() {
    return SpannerInserts.<Event>into(
            client,
            NAME,
            (event, row) -> {
              event.writeTo(row);
              if (dialect == Dialect.POSTGRESQL) {
                row.set("newest").to(DescendingTime.MICROS.truncating().apply(event.at()));
              }
            })
        .rows();
  }

  /** The last events, newest first. */
  Flux<Event> newest(String host, String event, int limit) {
    KeySet rows = KeySet.prefixRange(Key.of(host, event));
    return Rows.of(() -> client.singleUse().read(NAME, rows, Event.COLUMNS, Options.limit(limit)))
        .map(Event::of);
  }
}
