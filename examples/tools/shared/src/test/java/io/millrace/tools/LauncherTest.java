package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./millrace}, on a machine that has neither Java nor Maven. */
class LauncherTest {

  private static final Path ROOT = Path.of("..", "..", "..").toAbsolutePath().normalize();
  private static final int NOT_BUILT = 7;
  private static final int NO_SUCH_TOOL = 64;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path programs;

  private record Answer(int status, String text) {}

  private Answer run(String... arguments) throws IOException, InterruptedException {
    for (String program : List.of("cat", "dirname")) {
      Files.copy(
          Path.of("/usr/bin", program),
          programs.resolve(program),
          StandardCopyOption.COPY_ATTRIBUTES,
          StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> command = new ArrayList<>();
    command.add("/bin/bash");
    command.add(ROOT.resolve("millrace").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", programs.toString());
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }

  private List<String> listed() throws IOException, InterruptedException {
    return Pattern.compile("(?m)^  ([a-z]+) +[a-z]+s,? ")
        .matcher(run("--help").text())
        .results()
        .map(tool -> tool.group(1))
        .toList();
  }

  @Test
  void withoutAToolItListsAllOfThem() throws IOException, InterruptedException {
    assertThat(listed()).containsExactly("advise", "bench", "perf", "torture");
    assertThat(run()).isEqualTo(run("--help")).extracting(Answer::status).isEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tortoise", "../demo", "perf writer"})
  void anUnknownToolIsRefusedWithTheList(String tool) throws IOException, InterruptedException {
    Answer answer = run(tool);

    assertThat(answer.status()).isEqualTo(NO_SUCH_TOOL);
    assertThat(answer.text())
        .startsWith("millrace: there is no tool '" + tool + "'")
        .contains("  torture  ");
  }

  @Test
  void aToolThatCannotBeBuiltEndsWithAStatusOfItsOwn() throws IOException, InterruptedException {
    for (String tool : listed()) {
      Answer answer = run(tool, "--help");

      assertThat(answer.status()).as(tool).isEqualTo(NOT_BUILT);
      assertThat(answer.text()).startsWith(tool + ": 'java' is not on the PATH; JDK 17");
    }
  }
}
