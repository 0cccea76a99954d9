package io.millrace.databases;

import io.r2dbc.spi.ConnectionFactory;

/** A database on a server of MySQL or MariaDB. */
final class MySqlDatabase implements R2dbcDatabase {

  private final MySqlServer server;
  private final String name;
  private final ConnectionFactory connections;

  MySqlDatabase(MySqlServer server, String name) {
    this.server = server;
    this.name = name;
    this.connections = server.connections(name);
  }

  @Override
  public DatabaseKind kind() {
    return server.kind();
  }

  @Override
  public ConnectionFactory connections() {
    return connections;
  }

  @Override
  public ConnectionFactory through(int port) {
    return MySqlServer.connections(kind(), name, port);
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
    Statements.run(connections, statements);
  }

  @Override
  public void close() {
    Statements.run(server.connections(""), "DROP DATABASE IF EXISTS " + name);
  }

  @Override
  public String toString() {
    return name + " on " + kind() + " at localhost:" + server.port();
  }
}
