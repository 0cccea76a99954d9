package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import shop.GaplessStart;
import shop.R2dbcStart;

/** The programs for R2DBC that the pages show do what they say, and end. */
class R2dbcStartTest {

  @ParameterizedTest
  @CsvSource({"R2dbcStart, README.md", "GaplessStart, docs/gapless.md"})
  void pageShowsProgram(String name, String page) throws IOException {
    String program = Files.readString(Path.of("src/test/java/shop", name + ".java"));
    assertThat(Files.readString(Path.of("../..", page))).contains("```java\n" + program + "```");
  }

  @Test
  void thePageShowsTheTableOfEachDialect() throws IOException {
    String page = Files.readString(Path.of("../../docs/r2dbc.md"));
    R2dbcSequenceStore store = R2dbcSequenceStore.create(new ScriptedDriver());
    for (R2dbcDialect dialect :
        List.of(R2dbcDialect.POSTGRESQL, R2dbcDialect.H2, R2dbcDialect.MYSQL)) {
      assertThat(page).contains("```sql\n" + store.createTableDdl(dialect) + "\n```");
    }
    assertThat(page).contains("on MariaDB the same with `utf8mb4_nopad_bin`");
    assertThat(store.createTableDdl(R2dbcDialect.MARIADB))
        .isEqualTo(
            store
                .createTableDdl(R2dbcDialect.MYSQL)
                .replace("utf8mb4_0900_bin", "utf8mb4_nopad_bin"));
  }

  @Test
  void programOfReadmePrintsValuesAndEnds() throws Exception {
    assertThat(output(R2dbcStart.class)).endsWith("1", "[2, 3, 4]");
  }

  @Test
  void programForGaplessNumbersPrintsThemAndEnds() throws Exception {
    assertThat(output(GaplessStart.class)).endsWith("1, 2");
  }

  private static List<String> output(Class<?> main) throws Exception {
    Path output = Files.createTempFile("start", ".txt");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(program.waitFor(2, TimeUnit.MINUTES)).as("the JVM has ended").isTrue();
      assertThat(program.exitValue()).isZero();
      return Files.readAllLines(output);
    } finally {
      program.destroyForcibly();
      Files.delete(output);
    }
  }
}
