package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullHeapTest {

  @Test
  void allGeneratorsServeAfterTheHeapWasFull(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output.txt");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx24m",
                "-XX:+UseSerialGC",
                "-XX:-UseTLAB", // or most threads would have room left
                "-cp",
                System.getProperty("java.class.path"),
                FullHeap.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = program.waitFor(3, TimeUnit.MINUTES);
      String said = Files.readString(output);
      assertThat(ended).as("the JVM has ended, after it said%n%s", said).isTrue();
      assertThat(program.exitValue()).as(said).isZero();
      assertThat(said).contains("served after ");
    } finally {
      program.destroyForcibly();
    }
  }
}
