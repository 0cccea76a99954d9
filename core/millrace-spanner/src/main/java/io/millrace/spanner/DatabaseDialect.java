package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import reactor.core.publisher.Mono;

/** Finds out the dialect of a database. */
final class DatabaseDialect {

  /** Only a database of the PostgreSQL dialect has this schema. */
  private static final Statement ASK =
      Statement.of(
          "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'pg_catalog'");

  private DatabaseDialect() {}

  /**
   * Asks the database once, and caches the answer for all subscribers. A failure is not cached. The
   * client's own {@code getDialect} caches a failure forever, and blocks.
   */
  static Mono<Dialect> of(DatabaseClient client) {
    return ClientRequest.read(client, once -> once.executeQueryAsync(ASK))
        .map(rows -> rows.get(0).getLong(0) == 0 ? Dialect.GOOGLE_STANDARD_SQL : Dialect.POSTGRESQL)
        .cacheInvalidateIf(any -> false);
  }
}
