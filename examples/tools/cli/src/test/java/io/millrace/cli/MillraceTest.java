package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MillraceTest {

  private record Answer(int status, String text) {}

  private static Answer run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Millrace.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }

  @Test
  void theFirstWordNamesTheToolAndTheOthersAreItsOptions()
      throws IOException, InterruptedException {
    for (String tool : List.of("advise", "sequences", "simulate")) {
      Answer answer = run(tool, "--help");

      assertThat(answer.status()).as(tool).isEqualTo(0);
      assertThat(answer.text()).startsWith("Usage: java -jar millrace-cli.jar " + tool + " ");
    }
  }

  @Test
  void theStatusIsThatOfTheTool() throws IOException, InterruptedException {
    assertThat(
            run(
                "sequences",
                "create",
                "orders",
                "--create-table",
                "--url",
                "r2dbc:h2:mem:///shop?options=DB_CLOSE_DELAY=-1"))
        .isEqualTo(new Answer(0, "Created orders. Its next value is 1." + System.lineSeparator()));
    assertThat(run("simulate", "--rate", "0").status()).isEqualTo(2);
  }

  @Test
  void adviceOnAFileNeedsNothingButTheFile(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path file = folder.resolve("schema.sql");
    Files.writeString(file, "CREATE TABLE Rates (Day DATE) PRIMARY KEY (Day);");
    Answer answer = run("advise", file.toString());
    assertThat(answer.status()).isEqualTo(1);
    assertThat(answer.text()).startsWith("WARNING  rising-key (1)").contains("schema.sql:1");
  }

  @Test
  void withoutAToolItListsThem() throws IOException, InterruptedException {
    assertThat(run()).isEqualTo(run("--help"));
    assertThat(run().status()).isEqualTo(0);
    assertThat(run().text()).contains("  advise ", "  sequences ", "  simulate ");
  }

  @Test
  void anUnknownToolIsRefusedWithTheList() throws IOException, InterruptedException {
    Answer answer = run("tor\u001btoise");

    assertThat(answer.status()).isEqualTo(64);
    assertThat(answer.text())
        .startsWith("millrace: there is no tool 'tor")
        .doesNotContain("\u001b")
        .contains("  simulate ");
  }
}
