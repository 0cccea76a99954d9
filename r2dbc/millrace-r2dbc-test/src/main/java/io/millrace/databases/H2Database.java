package io.millrace.databases;

import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.util.UUID;

/** A database in memory, which lives until it is closed. */
final class H2Database implements R2dbcDatabase {

  private final String name;
  private final H2ConnectionFactory connections;

  private H2Database(String name) {
    this.name = name;
    this.connections =
        new H2ConnectionFactory(
            H2ConnectionConfiguration.builder().url("mem:" + name + ";DB_CLOSE_DELAY=-1").build());
  }

  static H2Database create() {
    return new H2Database(UUID.randomUUID().toString());
  }

  @Override
  public DatabaseKind kind() {
    return DatabaseKind.H2;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ConnectionFactory connections() {
    return connections;
  }

  @Override
  public void execute(String... statements) {
    Statements.run(connections, statements);
  }

  @Override
  public void close() {
    execute("SHUTDOWN");
  }

  @Override
  public String toString() {
    return name + " on H2";
  }
}
