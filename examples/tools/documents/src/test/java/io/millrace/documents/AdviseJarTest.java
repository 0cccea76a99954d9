package io.millrace.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The one file that {@code ./millrace advise} runs; only a build that packages has it. */
class AdviseJarTest {

  private static final Path ADVISE = DocumentedCode.ROOT.resolve("examples/tools/advise");
  private static final File JAR = ADVISE.resolve("target/advise.jar").toFile();
  private static final long LARGEST_BYTES = 1_500_000;

  @BeforeEach
  void requireJar() {
    assumeThat(JAR).exists();
  }

  @Test
  void isSmallAndHasNoDriver() throws IOException {
    assertThat(JAR.length()).isLessThan(LARGEST_BYTES);
    try (JarFile jar = new JarFile(JAR)) {
      assertThat(jar.stream().map(entry -> entry.getName()))
          .anyMatch(name -> name.startsWith("io/millrace/advisor/"))
          .noneMatch(name -> name.matches("(com/google|io/grpc|io/netty|io/r2dbc|org/h2)/.*"));
    }
  }

  @Test
  void runsAlone() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path schema = ADVISE.resolve("src/test/resources/io/millrace/advise/shop.sql");
    Path output = Files.createTempFile("advise", ".txt");
    Process run =
        new ProcessBuilder(List.of(java, "-jar", JAR.toString(), schema.toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(run.waitFor()).isEqualTo(1);
    assertThat(Files.readString(output, StandardCharsets.UTF_8)).contains("rising-key");
    Files.delete(output);
  }
}
