package io.millrace.torture;

import io.millrace.databases.DatabaseKind;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.tools.Server;

/** A database in memory behind H2's TCP server, in the parent. */
final class H2Database extends Database {

  private final Server server;

  /** Of this database alone: the databases in memory outlive their server. */
  private final String name = "torture" + UUID.randomUUID().toString().replace("-", "");

  private final R2dbcAccess access;

  private H2Database(Server server) {
    this.server = server;
    this.access = new R2dbcAccess(DatabaseKind.H2, connections(name, server.getPort()));
    access.create();
  }

  static H2Database start() {
    try {
      return new H2Database(
          Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon").start());
    } catch (SQLException e) {
      throw new IllegalStateException("cannot start the TCP server of H2", e);
    }
  }

  static ConnectionFactory connections(String database, int port) {
    return new H2ConnectionFactory(
        H2ConnectionConfiguration.builder()
            .url("tcp://localhost:" + port + "/mem:" + database + ";DB_CLOSE_DELAY=-1")
            .build());
  }

  @Override
  String description() {
    return "H2 in server mode, port " + server.getPort();
  }

  @Override
  String server() {
    return "localhost:" + server.getPort();
  }

  @Override
  String address(int port) {
    return "h2-server " + port + " " + name;
  }

  @Override
  Access access() {
    return access;
  }

  @Override
  public void close() {
    access.close();
    server.stop();
  }
}
