package io.millrace.r2dbc;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The system's pgbouncer, in transaction mode, on the loopback interface. */
final class Pgbouncer implements AutoCloseable {

  static final String HOW_TO_GET = "get it with 'apt-get install pgbouncer'";

  /** The connections to the server that its clients share. */
  static final int SERVERS = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");

  private final Process process;
  private final int port;

  private Pgbouncer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  private static Optional<Path> program() {
    Stream<String> folders =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
            Stream.of("/usr/sbin"));
    return folders
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static boolean isThere() {
    return program().isPresent();
  }

  /** Whether it can follow named statements, which it does from 1.21 on. */
  static boolean canTrackStatements() throws IOException {
    Process asked =
        new ProcessBuilder(program().orElseThrow().toString(), "--version")
            .redirectErrorStream(true)
            .start();
    String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher version = VERSION.matcher(answer);
    if (!version.find()) {
      throw new IllegalStateException("no version: " + answer);
    }
    return Integer.parseInt(version.group(1)) > 1 || Integer.parseInt(version.group(2)) >= 21;
  }

  /**
   * Starts it before a PostgreSQL server on this machine.
   *
   * @param folder an empty folder
   * @param trackedStatements {@code max_prepared_statements}, where there is such a setting
   */
  static Pgbouncer start(Path folder, int server, int trackedStatements) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<String> settings =
        new ArrayList<>(
            List.of(
                "[databases]",
                "* = host=127.0.0.1 port=" + server + " user=postgres",
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = " + SERVERS,
                "ignore_startup_parameters = extra_float_digits"));
    if (canTrackStatements()) {
      settings.add("max_prepared_statements = " + trackedStatements);
    }
    Path file = Files.write(folder.resolve("pgbouncer.ini"), settings);
    List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString()));
    if (System.getProperty("user.name").equals("root")) { // which it refuses to stay
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(file.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Pgbouncer started = new Pgbouncer(process, port);
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException(Files.readString(folder.resolve("log")));
              }
              return started.accepts();
            });
    return started;
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
