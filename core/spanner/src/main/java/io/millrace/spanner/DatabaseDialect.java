package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import reactor.core.publisher.Mono;

/** Which dialect a database speaks. */
final class DatabaseDialect {

  /** Only a database of PostgreSQL has that schema. */
  private static final Statement ASK =
      Statement.of(
          "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'pg_catalog'");

  private DatabaseDialect() {}

  /**
   * Asks the database once, for all callers. A failure is not remembered. The client's own {@code
   * getDialect} would remember it forever, and blocks.
   */
  static Mono<Dialect> of(DatabaseClient client) {
    Mono<Dialect> asked =
        RowFlux.of(
                RowFlux.singleUse(client::singleUse, once -> once.executeQueryAsync(ASK)),
                Dispatch.MAY_BLOCK)
            .single()
            .map(row -> row.getLong(0) == 0 ? Dialect.GOOGLE_STANDARD_SQL : Dialect.POSTGRESQL)
            .cacheInvalidateIf(any -> false);
    // A source of our own: Reactor gives each subscriber of the cache its own ThreadLocals by it.
    return CalledMono.of(() -> asked);
  }
}
