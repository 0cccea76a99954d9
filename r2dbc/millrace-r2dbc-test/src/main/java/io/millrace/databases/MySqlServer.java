package io.millrace.databases;

import io.asyncer.r2dbc.mysql.MySqlConnectionConfiguration;
import io.asyncer.r2dbc.mysql.MySqlConnectionFactory;
import io.asyncer.r2dbc.mysql.constant.SslMode;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mariadb.r2dbc.MariadbConnectionConfiguration;
import org.mariadb.r2dbc.MariadbConnectionFactory;

/**
 * A MySQL or MariaDB server that this JVM starts on a free port of the loopback interface, from
 * {@link MySqlPrograms}. The server ends with the JVM.
 */
public final class MySqlServer implements DatabaseServer {

  private static final String USER = "millrace";
  private static final long PATIENCE_SECONDS = 60;
  private static final int ATTEMPTS = 3;

  /** The server that the tests of this JVM share, or why there is none. */
  private record Shared(@Nullable MySqlServer server, @Nullable String absence) {

    private static final class MySql {
      static final Shared SERVER = of(DatabaseKind.MYSQL);
    }

    private static final class MariaDb {
      static final Shared SERVER = of(DatabaseKind.MARIADB);
    }

    static Shared get(DatabaseKind kind) {
      return kind == DatabaseKind.MARIADB ? MariaDb.SERVER : MySql.SERVER;
    }

    private static Shared of(DatabaseKind kind) {
      try {
        MySqlServer server = start(kind);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return new Shared(server, null);
      } catch (IllegalStateException | UncheckedIOException e) {
        return new Shared(
            null,
            "no server of "
                + kind
                + " could be started ("
                + e.getMessage()
                + "): "
                + MySqlPrograms.HOW_TO_GET);
      }
    }
  }

  private final DatabaseKind kind;
  private final MySqlPrograms programs;
  private final Path home;
  private final Path data;
  private final List<String> options;
  private int port;

  /** The running server; a stopped one keeps its port. */
  private @Nullable Process process;

  private MySqlServer(
      DatabaseKind kind, MySqlPrograms programs, Path home, Path data, List<String> options) {
    this.kind = kind;
    this.programs = programs;
    this.home = home;
    this.data = data;
    this.options = options;
  }

  /** Why {@link #shared} has no server; null if it has one. */
  static @Nullable String absence(DatabaseKind kind) {
    return Shared.get(kind).absence();
  }

  /**
   * Returns the server that the tests of this JVM share. The first call starts it. It must not be
   * stopped.
   *
   * @param kind MySQL or MariaDB
   * @throws IllegalStateException if none can be started
   */
  public static MySqlServer shared(DatabaseKind kind) {
    MySqlServer server = Shared.get(kind).server();
    if (server == null) {
      throw new IllegalStateException(absence(kind));
    }
    return server;
  }

  /**
   * Starts a server that only the caller uses, and may stop and restart.
   *
   * @param kind MySQL or MariaDB
   * @param options of the server, besides those that all have
   * @throws IllegalStateException if none can be started
   */
  public static MySqlServer start(DatabaseKind kind, String... options) {
    MySqlPrograms programs =
        kind == DatabaseKind.MARIADB ? MySqlPrograms.MARIADB : MySqlPrograms.MYSQL;
    try {
      Path home = programs.home();
      Path data = Files.createTempDirectory("millrace-data");
      DataTemplate.copy(home.resolve("data"), data);
      MySqlServer server = new MySqlServer(kind, programs, home, data, List.of(options));
      server.startOnAnyPort();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Another process may take a port that was free. */
  private void startOnAnyPort() throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      try {
        run();
        return;
      } catch (IllegalStateException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void run() throws IOException, InterruptedException {
    Path init = data.resolve("init.sql");
    Files.writeString(
        init,
        "CREATE USER IF NOT EXISTS '"
            + USER
            + "'@'%';\nGRANT ALL ON *.* TO '"
            + USER
            + "'@'%' WITH GRANT OPTION;\n");
    Path log = data.resolve("server.log");
    List<String> command = new ArrayList<>(programs.command(home, data));
    command.addAll(
        List.of(
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=" + data.resolve("socket"),
            "--pid-file=" + data.resolve("pid"),
            "--init-file=" + init,
            "--character-set-server=utf8mb4",
            "--skip-log-bin",
            "--innodb-flush-method=nosync", // what the kernel has outlives a killed server
            "--performance-schema=OFF",
            "--max-connections=300"));
    command.addAll(programs.options());
    command.addAll(options);
    Process started =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    process = started;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!accepts()) {
      if (!started.isAlive() || System.nanoTime() > end) {
        stop();
        throw new IllegalStateException("the server did not start" + MySqlPrograms.end(log));
      }
      Thread.sleep(20);
    }
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      socket.setSoTimeout(5_000);
      return socket.getInputStream().read() >= 0; // the first byte of the server's greeting
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroyForcibly();
    try {
      running.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process = null;
  }

  @Override
  public void startAgain() {
    try {
      run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public R2dbcDatabase createDatabase() {
    String name = "db_" + UUID.randomUUID().toString().replace("-", "");
    Statements.run(connections(""), "CREATE DATABASE " + name);
    return new MySqlDatabase(this, name);
  }

  DatabaseKind kind() {
    return kind;
  }

  ConnectionFactory connections(String database) {
    return connections(kind, database, port);
  }

  /**
   * Returns the driver for a database, for example through a proxy.
   *
   * @param kind the server's driver: of MySQL or of MariaDB
   * @param database the name of the database; empty for none
   * @param port the port on this machine that the driver connects to
   * @param variables settings of the session, such as {@code sql_mode='ANSI'}
   */
  public static ConnectionFactory connections(
      DatabaseKind kind, String database, int port, String... variables) {
    return connectionsOf(USER, kind, database, port, variables);
  }

  /**
   * Returns the driver for a database, for another user.
   *
   * @param user the name of a user without a password
   * @param kind the server's driver: of MySQL or of MariaDB
   * @param database the name of the database; empty for none
   * @param port the port on this machine that the driver connects to
   * @param variables settings of the session
   */
  public static ConnectionFactory connectionsOf(
      String user, DatabaseKind kind, String database, int port, String... variables) {
    if (kind == DatabaseKind.MARIADB) {
      MariadbConnectionConfiguration.Builder builder =
          MariadbConnectionConfiguration.builder().host("127.0.0.1").port(port).username(user);
      if (!database.isEmpty()) {
        builder.database(database);
      }
      if (variables.length > 0) {
        Map<String, Object> settings = new HashMap<>();
        Arrays.stream(variables)
            .map(variable -> variable.split("=", 2))
            .forEach(parts -> settings.put(parts[0], setting(parts[1])));
        builder.sessionVariables(settings);
      }
      return new MariadbConnectionFactory(builder.build());
    }
    return MySqlConnectionFactory.from(
        MySqlConnectionConfiguration.builder()
            .host("127.0.0.1")
            .port(port)
            .user(user)
            .database(database)
            .sslMode(SslMode.DISABLED)
            .sessionVariables(variables)
            .build());
  }

  /** The MariaDB driver quotes text, and the server refuses a number between quotes. */
  private static Object setting(String value) {
    return value.startsWith("'") ? value.replace("'", "") : Integer.valueOf(value);
  }

  @Override
  public void close() {
    stop();
    try {
      DataTemplate.delete(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
