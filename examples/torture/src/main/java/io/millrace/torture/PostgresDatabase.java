package io.millrace.torture;

import io.millrace.databases.PostgresServer;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Arrays;
import java.util.List;

/** A PostgreSQL server of the parent. */
final class PostgresDatabase extends Database {

  private static final String NAME = "postgres";

  private final PostgresServer server;
  private final R2dbcAccess access;

  private PostgresDatabase(PostgresServer server, boolean ledger) {
    super(ledger);
    this.server = server;
    this.access = R2dbcAccess.open(connections(NAME, server.port()), options());
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
  List<Mode> modes() {
    return Arrays.stream(Mode.values()).filter(mode -> mode != Mode.NATIVE).toList();
  }

  @Override
  String server() {
    return "localhost:" + server.port();
  }

  @Override
  String address(int port) {
    return "postgres " + port + " " + NAME + " " + end();
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
