package io.millrace.keys;

import static io.millrace.spanner.ddl.KeyColumn.ascending;
import static io.millrace.spanner.ddl.KeyColumn.descending;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import io.millrace.key.CompositeKey;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.ddl.IndexDdl;
import io.millrace.spanner.ddl.TableDdl;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * The swapped order, {@code PRIMARY KEY (UserId, LastAccess DESC)}: the rows of a user are stored
 * together, the newest first, and users are far apart. Spanner's PostgreSQL dialect does not
 * support {@code DESC} in a primary key, so an index provides that order.
 */
final class UserFirstLog {

  static final String NAME = "UserFirstAccessLog";
  static final String NEWEST = "UserFirstAccessLogNewest";

  static final CompositeKey<Access> KEY =
      CompositeKey.<Access>builder()
          .part("UserId", Access::user)
          .descending("LastAccess", Access::at)
          .build();

  private final DatabaseClient client;
  private final Dialect dialect;

  UserFirstLog(DatabaseClient client, Dialect dialect) {
    this.client = client;
    this.dialect = dialect;
  }

  static List<String> ddl(Dialect dialect) {
    if (dialect == Dialect.GOOGLE_STANDARD_SQL) {
      return List.of(Access.table(NAME).primaryKey(KEY).build().toDdl(dialect));
    }
    TableDdl table = Access.table(NAME).primaryKey("UserId", "LastAccess").build();
    IndexDdl newest =
        IndexDdl.on(table, NEWEST)
            .columns(ascending("UserId"), descending("LastAccess"))
            .storing("Page")
            .build();
    return List.of(table.toDdl(dialect), newest.toDdl(dialect));
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
