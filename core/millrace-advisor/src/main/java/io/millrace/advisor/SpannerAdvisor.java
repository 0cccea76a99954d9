package io.millrace.advisor;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import java.util.List;

/**
 * Makes a {@link SchemaAdvisor} for a Spanner database. Needs {@code google-cloud-spanner}, which
 * does not come with this library.
 */
public final class SpannerAdvisor {

  private SpannerAdvisor() {}

  /**
   * Returns an advisor for a Spanner database.
   *
   * @param client the client of the database, whose dialect is read at once
   */
  public static SchemaAdvisor of(DatabaseClient client) {
    return SchemaAdvisor.of(dialect(client).catalog(), new SpannerQuery(client));
  }

  /** Returns an advisor for a database of the emulator, which is described by statements. */
  static SchemaAdvisor ofEmulator(DatabaseClient client, List<String> ddl) {
    return SchemaAdvisor.ofEmulator(dialect(client), new SpannerQuery(client), ddl);
  }

  private static DdlDialect dialect(DatabaseClient client) {
    return client.getDialect() == Dialect.POSTGRESQL ? DdlDialect.POSTGRESQL : DdlDialect.GOOGLESQL;
  }
}
