package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private Path directory;

  @Test
  void preparingMakesTheDirectoryAndNoFile() throws IOException {
    Path file = directory.resolve("new/figures.json");
    new OutputFile("--json", file).prepare();
    assertThat(file.getParent()).isEmptyDirectory();
  }

  @Test
  void preparingLeavesAnEarlierFileAsItIs() throws IOException {
    Path file = Files.writeString(directory.resolve("figures.json"), "of yesterday");
    new OutputFile("--json", file).prepare();
    assertThat(file).hasContent("of yesterday");
  }

  @Test
  void aDirectoryIsRefused() {
    assertThatThrownBy(() -> new OutputFile("--json", directory).prepare())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "--json must be a file that can be written, was %s (that is a directory)", directory);
  }

  @Test
  void aFileInAFileIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "").resolve("figures.json");
    assertThatThrownBy(() -> new OutputFile("--json", file).prepare())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("--json must be a file that can be written, was " + file + " (");
  }

  @Test
  void whatCannotBeWrittenInTheEndIsToldInTheSameWords() {
    OutputFile file = new OutputFile("--json", directory.resolve("figures.json"));
    IOException full = new IOException("no space left");
    assertThatThrownBy(
            () ->
                file.write(
                    path -> {
                      throw full;
                    }))
        .hasMessage("--json must be a file that can be written, was %s (%s)", file.path(), full)
        .hasCause(full);
  }

  @Test
  void theFileIsWritten() throws IOException {
    OutputFile file = new OutputFile("--json", directory.resolve("figures.json"));
    file.write(path -> Files.writeString(path, "{}"));
    assertThat(file.path()).hasContent("{}");
  }
}
