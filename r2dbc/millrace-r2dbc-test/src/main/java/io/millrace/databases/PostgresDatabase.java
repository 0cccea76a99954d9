package io.millrace.databases;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;

/** A database on a PostgreSQL server. */
final class PostgresDatabase implements R2dbcDatabase {

  /** More than tests use at once; the server accepts 300. */
  private static final int MOST_POOLED = 64;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final PostgresServer server;
  private final String name;
  private final ConnectionFactory connections;
  private final ConnectionPool pool;

  PostgresDatabase(PostgresServer server, String name) {
    this.server = server;
    this.name = name;
    this.connections = server.connections(name);
    this.pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(connections)
                .initialSize(0)
                .maxSize(MOST_POOLED)
                .maxAcquireTime(PATIENCE)
                .build());
  }

  @Override
  public DatabaseKind kind() {
    return DatabaseKind.POSTGRESQL;
  }

  @Override
  public ConnectionFactory connections() {
    return connections;
  }

  @Override
  public ConnectionFactory pooled() {
    return pool;
  }

  @Override
  public ConnectionFactory through(int port) {
    return PostgresServer.connections(name, port);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void execute(String... statements) {
    Statements.run(pool, statements);
  }

  @Override
  public void close() {
    pool.disposeLater().onErrorComplete().block(PATIENCE);
    Statements.run(
        server.connections("postgres"), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  }

  @Override
  public String toString() {
    return name + " on PostgreSQL at localhost:" + server.port();
  }
}
