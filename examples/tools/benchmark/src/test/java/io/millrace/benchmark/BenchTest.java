package io.millrace.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchTest {

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private Path folder;

  private final ByteArrayOutputStream console = new ByteArrayOutputStream();
  private final StringWriter errors = new StringWriter();

  private int run(String... arguments) {
    CommandLine bench = Bench.commandLine(new PrintStream(console, true, StandardCharsets.UTF_8));
    return bench.setErr(new PrintWriter(errors)).execute(arguments);
  }

  @Test
  void roundsOutsideTheirRangeAreRefused() {
    assertThat(run("--rounds", "21")).isEqualTo(2);
    assertThat(errors.toString()).contains("--rounds must be from 1 to 20, was 21");
  }

  @Test
  void aRegexThatMatchesNoCaseIsRefused() {
    assertThat(run("Streams.nothing")).isEqualTo(2);
    assertThat(errors.toString()).contains("no case matches [Streams.nothing]");
  }

  @Test
  void aMalformedRegexIsRefused() {
    assertThat(run("Streams[")).isEqualTo(2);
    assertThat(errors.toString()).contains("REGEX is malformed", "Streams[");
  }

  @Test
  void aFileThatIsNotThereIsRefused() {
    Path missing = folder.resolve("missing.json");

    assertThat(run("--from", missing.toString(), "--out", folder.toString())).isEqualTo(2);
    assertThat(errors.toString()).contains("--from must be a bench.json, was " + missing);
  }

  @Test
  void aFileOfAnotherKindIsRefused() throws IOException {
    Path other = Files.writeString(folder.resolve("other.json"), "{\"date\": [");

    assertThat(run("--from", other.toString(), "--out", folder.toString())).isEqualTo(2);
    assertThat(errors.toString()).contains("--from must be a bench.json, was " + other);
  }

  @Test
  void aJsonOfAnotherKindIsRefused() throws IOException {
    Path other = Files.writeString(folder.resolve("other.json"), "{\"date\": \"today\"}");

    assertThat(run("--from", other.toString(), "--out", folder.toString())).isEqualTo(2);
    assertThat(errors.toString())
        .contains("--from must be a bench.json, was " + other, "a part of the results is missing");
  }

  @Test
  void aRegexBesideARecordedRunIsRefused() {
    assertThat(run("--from", "bench.json", "Streams")).isEqualTo(2);
    assertThat(errors.toString()).contains("--from runs nothing", "[Streams]");
  }

  @Test
  void aFileIsNoFolderToWriteTo() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThat(run("--out", file.toString())).isEqualTo(2);
    assertThat(errors.toString()).contains("--out must be a folder, was " + file);
  }

  @Test
  void theListNamesWhatIsMeasuredWithoutJmh() {
    assertThat(run("--list", "heap")).isZero();
    assertThat(console.toString(StandardCharsets.UTF_8)).isEqualToIgnoringNewLines("heap");
  }

  @Test
  void theListShowsTheCasesThatMatch() {
    assertThat(run("--list", "Streams.values,")).isZero();
    assertThat(console.toString(StandardCharsets.UTF_8))
        .hasLineCount(3)
        .contains("Streams.values, 1 thread", "Streams.values, 4 threads");
  }

  @Test
  void aRecordedRunIsReportedWithoutRunningAnything() {
    Path recorded = folder.resolve("recorded.json");
    Results results =
        new Results(
            "2026-01-02 03:04",
            "./millrace bench --full",
            "a machine",
            List.of(
                new Measured(Case.of("Singles.next", 1), 1, 50, 48),
                new Measured(Case.of("Singles.fromSupplier", 1), 1, 40, 72)),
            List.of());
    results.write(recorded);

    assertThat(run("--from", recorded.toString(), "--out", folder.toString())).isZero();

    assertThat(console.toString(StandardCharsets.UTF_8))
        .contains("./millrace bench --full, 2026-01-02 03:04, a machine")
        .containsPattern("next\\(\\) / Mono.fromSupplier, 1 thread +≥ 1.00x +1.25x +met");
    assertThat(folder.resolve("bench.md")).exists();
    assertThat(folder.resolve("singles.svg")).exists();
  }
}
