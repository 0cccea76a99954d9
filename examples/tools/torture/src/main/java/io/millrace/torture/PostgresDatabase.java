package io.millrace.torture;

import io.millrace.databases.PostgresServer;
import io.r2dbc.spi.ConnectionFactory;
import java.util.UUID;

/** A PostgreSQL server of the parent. */
final class PostgresDatabase extends Database {

  /** Of this run alone: the server is shared by the runs in a JVM. */
  private final String name = "torture" + UUID.randomUUID().toString().replace("-", "");

  private final PostgresServer server;
  private final R2dbcAccess access;

  private PostgresDatabase(PostgresServer server, boolean ledger) {
    super(ledger);
    this.server = server;
    R2dbcAccess.run(connections("postgres", server.port()), "CREATE DATABASE " + name);
    this.access = R2dbcAccess.open(connections(name, server.port()), options());
    access.create();
  }

  static PostgresDatabase start(boolean ledger) {
    return new PostgresDatabase(PostgresServer.shared(), ledger);
  }

  static ConnectionFactory connections(String database, int port) {
    return PostgresServer.connections(database, port);
  }

  @Override
  String description() {
    return "PostgreSQL, port " + server.port();
  }

  @Override
  String server() {
    return "localhost:" + server.port();
  }

  @Override
  String address(int port) {
    return "postgres " + port + " " + name + " " + end();
  }

  @Override
  Access access() {
    return access;
  }

  /** The server ends with this JVM. */
  @Override
  public void close() {
    access.close();
  }
}
