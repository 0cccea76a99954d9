package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import shop.R2dbcStart;

/** The program for R2DBC that README shows does what it says, and ends. */
class R2dbcStartTest {

  @Test
  void itIsTheOneInReadme() throws IOException {
    String program = Files.readString(Path.of("src/test/java/shop/R2dbcStart.java"));
    assertThat(Files.readString(Path.of("../../README.md")))
        .contains("```java\n" + program + "```");
  }

  @Test
  void thePageShowsTheTableOfEachDialect() throws IOException {
    String page = Files.readString(Path.of("../../docs/r2dbc.md"));
    R2dbcSequenceStore store = R2dbcSequenceStore.create(new ScriptedDriver());
    for (R2dbcDialect dialect :
        List.of(
            R2dbcDialect.POSTGRESQL, R2dbcDialect.H2, R2dbcDialect.MYSQL, R2dbcDialect.MARIADB)) {
      assertThat(page).contains("```sql\n" + store.createTableDdl(dialect) + "\n```");
    }
  }

  @Test
  void itsJvmEndsByItself() throws Exception {
    Path output = Files.createTempFile("start", ".txt");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                R2dbcStart.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(program.waitFor(2, TimeUnit.MINUTES)).as("the JVM has ended").isTrue();
      assertThat(program.exitValue()).isZero();
      assertThat(Files.readAllLines(output)).endsWith("1", "[2, 3, 4]");
    } finally {
      program.destroyForcibly();
      Files.delete(output);
    }
  }
}
