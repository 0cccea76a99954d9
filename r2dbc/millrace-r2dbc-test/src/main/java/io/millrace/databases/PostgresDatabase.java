package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;

/** A database on a PostgreSQL server. */
final class PostgresDatabase implements R2dbcDatabase {

  private final PostgresServer server;
  private final String name;
  private final ConnectionFactory connections;

  PostgresDatabase(PostgresServer server, String name) {
    this.server = server;
    this.name = name;
    this.connections = server.connections(name);
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
  public ConnectionFactory through(int port) {
    return PostgresServer.connections(name, port);
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void execute(String... statements) {
    Statements.run(connections, statements);
  }

  @Override
  public void close() {
    Statements.run(
        server.connections("postgres"), "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  }

  @Override
  public String toString() {
    return name + " on PostgreSQL at localhost:" + server.port();
  }
}
