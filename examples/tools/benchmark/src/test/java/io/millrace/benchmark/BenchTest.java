package io.millrace.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchTest {

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
}
