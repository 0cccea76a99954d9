package io.millrace.databases;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.Statement;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Locale;
import java.util.Set;

/** A database on the Spanner emulator, with the R2DBC driver connected to it. */
final class SpannerR2dbcDatabase implements R2dbcDatabase {

  private static final Set<String> SCHEMA_CHANGES = Set.of("CREATE", "ALTER", "DROP");

  private final EmulatorDatabase database;
  private final Spanner client;
  private final ConnectionFactory connections;

  private SpannerR2dbcDatabase(EmulatorDatabase database, Spanner client) {
    this.database = database;
    this.client = client;
    this.connections = SpannerConnections.over(client, database.id());
  }

  static SpannerR2dbcDatabase create(Dialect dialect) {
    SpannerEmulator emulator =
        SpannerEmulator.find()
            .orElseThrow(() -> new IllegalStateException(SpannerEmulator.HOW_TO_GET));
    return new SpannerR2dbcDatabase(
        emulator.createDatabase(dialect), emulator.connect(options -> options));
  }

  @Override
  public DatabaseKind kind() {
    return database.dialect() == Dialect.POSTGRESQL
        ? DatabaseKind.SPANNER_POSTGRESQL
        : DatabaseKind.SPANNER;
  }

  @Override
  public ConnectionFactory connections() {
    return connections;
  }

  @Override
  public void execute(String... statements) {
    for (String text : statements) {
      String verb = text.strip().split("\\s", 2)[0].toUpperCase(Locale.ROOT);
      if (SCHEMA_CHANGES.contains(verb)) {
        database.update(text);
      } else {
        database
            .client()
            .readWriteTransaction()
            .run(transaction -> transaction.executeUpdate(Statement.of(text)));
      }
    }
  }

  @Override
  public void close() {
    client.close();
    database.close();
  }

  @Override
  public String toString() {
    return database.toString();
  }
}
