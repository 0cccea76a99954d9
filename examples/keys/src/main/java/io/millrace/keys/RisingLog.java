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
 * The design to avoid: {@code PRIMARY KEY (last_access, user_id)}. The time rises, so every insert
 * goes after the last row, and all inserts to one server.
 */
final class RisingLog {

  static final String NAME = "rising_access_log";

  private final DatabaseClient client;

  RisingLog(DatabaseClient client) {
    this.client = client;
  }

  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.into(client, NAME, Access::writeTo).rows();
  }

  /** The accesses from a time (inclusive) to another (exclusive), in order: one range. */
  Flux<Access> between(Instant from, Instant to) {
    KeyRange range =
        KeyRange.closedOpen(Key.of(Times.timestamp(from)), Key.of(Times.timestamp(to)));
    return Rows.of(() -> client.singleUse().read(NAME, KeySet.range(range), Access.COLUMNS))
        .map(Access::of);
  }
}
