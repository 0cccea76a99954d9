package io.millrace.test.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the stand-in for the emulator is a script")
class EmulatorProcessTest {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** A program that listens where it is told to, and stays until it is ended. */
  static final class StandIn {

    private StandIn() {}

    /** Takes the emulator's first two arguments. */
    @SuppressWarnings("AddressSelection") // the port is on this machine
    public static void main(String[] arguments) throws Exception {
      int port = Integer.parseInt(arguments[1].substring(arguments[1].indexOf(':') + 1));
      try (ServerSocket socket = new ServerSocket(port)) {
        while (!socket.isClosed()) {
          socket.accept().close();
        }
      }
    }
  }

  /** A JVM that starts an emulator, says so, and stays until it is ended. */
  static final class Owner {

    private Owner() {}

    /** Takes the emulator's program. */
    public static void main(String[] arguments) throws Exception {
      EmulatorProcess.start(Path.of(arguments[0]), List.of());
      System.out.write('!');
      System.out.flush();
      Thread.sleep(LIMIT.toMillis());
    }
  }

  private static List<String> java(Class<?> program, String... arguments) {
    return Stream.concat(
            Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()),
            Stream.of(arguments))
        .toList();
  }

  private static Path standIn(Path folder) throws IOException {
    Path script = folder.resolve("emulator");
    Files.writeString(
        script, "#!/bin/sh\nexec '" + String.join("' '", java(StandIn.class)) + "' \"$@\"\n");
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private static void assertAllEnd(List<ProcessHandle> processes) {
    assertThat(
            CompletableFuture.allOf(
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new)))
        .succeedsWithin(LIMIT);
  }

  @Test
  void anEmulatorEndsWithTheJvmThatStartedItAlsoIfThatIsKilled(@TempDir Path folder)
      throws Exception {
    Process owner =
        new ProcessBuilder(java(Owner.class, standIn(folder).toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .directory(folder.toFile())
            .start();
    try (InputStream said = owner.getInputStream()) {
      assertThat(said.read()).as("it has started the emulator").isEqualTo('!');
      List<ProcessHandle> started = owner.descendants().toList();
      assertThat(started).isNotEmpty();
      owner.destroyForcibly();
      assertThat(owner.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      try {
        assertAllEnd(started);
      } finally {
        started.forEach(ProcessHandle::destroyForcibly);
      }
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void whatWatchesOverAnEmulatorEndsWithIt(@TempDir Path folder) throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    EmulatorProcess emulator = EmulatorProcess.start(standIn(folder), List.of());
    List<ProcessHandle> started =
        ProcessHandle.current().descendants().filter(each -> !before.contains(each)).toList();
    assertThat(started).isNotEmpty();
    emulator.stop();
    assertAllEnd(started);
    assertThat(emulator.log()).doesNotExist();
  }
}
