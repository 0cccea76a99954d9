package io.millrace.torture;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.spi.ConnectionFactory;

/** A database on a server of PostgreSQL, MySQL or MariaDB, in the parent. */
final class ServerDatabase extends Database {

  private final R2dbcDatabase database;
  private final R2dbcAccess access;

  private ServerDatabase(R2dbcDatabase database) {
    this.database = database;
    this.access = new R2dbcAccess(database.kind(), database.connections());
    access.create();
  }

  static ServerDatabase start(DatabaseKind kind) {
    return new ServerDatabase(kind.create());
  }

  /** The access of a process. */
  static R2dbcAccess open(String[] address, int port) {
    DatabaseKind kind = DatabaseKind.valueOf(address[0]);
    String name = address[2];
    ConnectionFactory connections =
        kind.isMySql()
            ? MySqlServer.connections(kind, name, port)
            : PostgresServer.connections(name, port);
    return new R2dbcAccess(kind, connections);
  }

  @Override
  String description() {
    return database.toString();
  }

  @Override
  String server() {
    return "localhost:" + database.port();
  }

  @Override
  String address(int port) {
    return database.kind() + " " + port + " " + database.name();
  }

  @Override
  Access access() {
    return access;
  }

  @Override
  public void close() {
    access.close();
    database.close();
  }
}
