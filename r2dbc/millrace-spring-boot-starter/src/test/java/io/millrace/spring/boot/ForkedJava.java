package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs in JVMs of their own. */
record ForkedJava(Path folder, String classPath) {

  ForkedJava(Path folder) {
    this(folder, System.getProperty("java.class.path"));
  }

  /**
   * Runs a program to its end.
   *
   * @param environment variables to add to those of this JVM, without SPANNER_EMULATOR_HOST
   * @param arguments options of the JVM, the main class, and its arguments
   * @return what it printed
   */
  String run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder command =
        new ProcessBuilder(
            Stream.concat(
                    Stream.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath),
                    Stream.of(arguments))
                .toList());
    command.environment().remove("SPANNER_EMULATOR_HOST");
    command.environment().putAll(environment);
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process jvm = command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      boolean ended = jvm.waitFor(2, TimeUnit.MINUTES);
      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended).as("the JVM has ended, after it said%n%s", said).isTrue();
      assertThat(jvm.exitValue()).as(said).isZero();
      return said;
    } finally {
      jvm.destroyForcibly();
    }
  }
}
