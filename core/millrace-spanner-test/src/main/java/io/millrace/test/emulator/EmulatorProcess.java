package io.millrace.test.emulator;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One {@code emulator_main} that this JVM started and will end. On Unix it also ends if this JVM is
 * killed. Its output goes to a log file, which is removed if {@link #stop} ended the emulator and
 * {@link #keepLog()} was not called.
 */
final class EmulatorProcess {

  private static final int STARTS = 3;
  private static final int CHECKS = 600;
  private static final long CHECK_MILLIS = 50;

  private final Process process;
  private final int port;
  private final Path log;

  /** Set by any thread that saw a failure; read when the emulator is stopped. */
  private volatile boolean keepLog;

  private EmulatorProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * The emulator that {@code gcloud components install cloud-spanner-emulator} puts beside the
   * {@code gcloud} on the path, or null.
   */
  static @Nullable Path component() {
    String path = System.getenv("PATH");
    return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "gcloud"))
        .filter(Files::isExecutable)
        .findFirst()
        .map(EmulatorProcess::besides)
        .filter(Files::isExecutable)
        .orElse(null);
  }

  private static Path besides(Path gcloud) {
    try {
      return gcloud.toRealPath().resolveSibling("cloud_spanner_emulator").resolve("emulator_main");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts an emulator and waits until it accepts connections.
   *
   * @throws IllegalStateException if it ends or stays silent; the message names its log
   */
  static EmulatorProcess start(Path executable, List<String> flags) {
    IllegalStateException failure = new IllegalStateException("not started");
    for (int i = 0; i < STARTS; i++) {
      try {
        return startOnce(executable, flags);
      } catch (IllegalStateException e) {
        failure = e; // the port may have been taken between finding it free and using it
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start " + executable, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while starting " + executable, e);
      }
    }
    throw failure;
  }

  private static EmulatorProcess startOnce(Path executable, List<String> flags)
      throws IOException, InterruptedException {
    int port = freePort();
    Path log = logFile(port);
    List<String> command =
        Stream.concat(
                Stream.of(executable.toString(), "--host_port", "localhost:" + port),
                flags.stream())
            .toList();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(new File(isWindows() ? "NUL" : "/dev/null"))
            .start();
    EmulatorProcess emulator = new EmulatorProcess(process, port, log);
    Runtime.getRuntime().addShutdownHook(new Thread(emulator::stop, "stop-spanner-emulator"));
    endWithThisJvm(process);
    emulator.awaitReady();
    return emulator;
  }

  /**
   * Starts a shell that waits for the end of its input, which comes when this JVM ends, and then
   * kills the emulator. A JVM that is killed runs no shutdown hook.
   */
  private static void endWithThisJvm(Process emulator) throws IOException {
    if (isWindows()) {
      return;
    }
    Process shell =
        new ProcessBuilder("/bin/sh", "-c", "read end; kill -9 " + emulator.pid())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    // Not later: another process might get the emulator's number.
    emulator.onExit().thenRun(shell::destroyForcibly);
  }

  private static boolean isWindows() {
    return System.getProperty("os.name", "").startsWith("Windows");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Path logFile(int port) {
    Path target = Path.of("target");
    Path directory =
        Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir", "."));
    return directory
        .resolve("spanner-emulator-" + ProcessHandle.current().pid() + "-" + port + ".log")
        .toAbsolutePath();
  }

  private void awaitReady() throws InterruptedException {
    for (int i = 0; i < CHECKS; i++) {
      if (process.waitFor(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "the Spanner emulator ended with code " + process.exitValue() + "; its log: " + log);
      }
      if (accepts()) {
        return;
      }
    }
    keepLog();
    stop();
    throw new IllegalStateException(
        "the Spanner emulator does not answer on port " + port + "; its log: " + log);
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("localhost", port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  /** Keeps the log when the emulator ends, and returns it. */
  Path keepLog() {
    keepLog = true;
    return log;
  }

  /** Ends the emulator; does nothing if it ended already. Keeps the log if it ended by itself. */
  synchronized void stop() {
    if (process.isAlive()) {
      process.destroy();
      try {
        if (!process.waitFor(3, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
      if (!keepLog) {
        try {
          Files.deleteIfExists(log);
        } catch (IOException e) {
          log.toFile().deleteOnExit();
        }
      }
    }
  }
}
