package io.millrace.spanner;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.test.emulator.EmulatorDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** A program of the tests in a JVM of its own, at a database of the emulator. */
final class SecondJvm {

  private SecondJvm() {}

  /** Starts a program with the arguments {@code HOST DATABASE}, and then these. */
  static Process start(Class<?> program, EmulatorDatabase database, String... arguments)
      throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            database.emulator().host(),
            database.id().getName());
    return new ProcessBuilder(Stream.concat(command.stream(), Stream.of(arguments)).toList())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Connects, from within a program, to the database that its arguments name. */
  static Spanner connect(String... arguments) {
    Logger.getLogger("").setLevel(Level.WARNING);
    return SpannerOptions.newBuilder()
        .setProjectId(database(arguments).getInstanceId().getProject())
        .setEmulatorHost(arguments[0])
        .setCredentials(NoCredentials.getInstance())
        .build()
        .getService();
  }

  /** The database that a program's arguments name. */
  static DatabaseId database(String... arguments) {
    return DatabaseId.of(arguments[1]);
  }
}
