package io.millrace.keys;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import io.millrace.spanner.SpannerInserts;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * The swapped order, {@code PRIMARY KEY (user_id, last_access DESC)}: the rows of a user are stored
 * together, the newest first, and users are far apart. Spanner's PostgreSQL dialect does not
 * support {@code DESC} in a primary key, so an index provides that order.
 */
final class UserFirstLog {

  static final String NAME = "user_first_access_log";
  static final String NEWEST = "user_first_newest";

  private final DatabaseClient client;
  private final Dialect dialect;

  UserFirstLog(DatabaseClient client, Dialect dialect) {
    this.client = client;
    this.dialect = dialect;
  }

  Function<Flux<Access>, Flux<Access>> insert() {
    return SpannerInserts.into(client, NAME, Access::writeTo)
        .indexEntries(dialect == Dialect.GOOGLE_STANDARD_SQL ? 0 : 1)
        .rows();
  }

  /** The last rows of a user, newest first. */
  Flux<Access> newest(String user, int limit) {
    KeySet rows = KeySet.prefixRange(Key.of(user));
    return Rows.of(
            () ->
                dialect == Dialect.GOOGLE_STANDARD_SQL
                    ? client.singleUse().read(NAME, rows, Access.COLUMNS, Options.limit(limit))
                    : client
                        .singleUse()
                        .readUsingIndex(NAME, NEWEST, rows, Access.COLUMNS, Options.limit(limit)))
        .map(Access::of);
  }
}
