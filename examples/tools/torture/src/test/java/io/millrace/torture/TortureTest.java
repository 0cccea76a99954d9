package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TortureTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringWriter err = new StringWriter();

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path directory;

  private int execute(String... arguments) {
    CommandLine command =
        Torture.commandLine(new PrintStream(out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8) + err;
  }

  @Test
  @Timeout(240)
  void noPromiseIsBrokenOnPostgreSqlWhileProcessesAreKilled() {
    noPromiseIsBroken("postgres");
  }

  @Test
  @Tag("long")
  @Timeout(240)
  void noPromiseIsBrokenOnSpannerWhileProcessesAreKilled() {
    noPromiseIsBroken("spanner");
  }

  @Test
  @Tag("long")
  @Timeout(240)
  void noPromiseIsBrokenOnMariaDbWhileProcessesAreKilled() {
    noPromiseIsBroken("mariadb");
  }

  private void noPromiseIsBroken(String store) {
    int code = torture(store, "10s");
    if (code == Torture.NOT_PROVED) { // a slow machine kills fewer processes
      code = torture(store, "30s");
    }

    if (!Boolean.getBoolean(store + ".required")) {
      assumeThat(code).as(printed()).isNotEqualTo(Torture.NOTHING_RUN);
    }
    assumeThat(code)
        .as("a machine fast enough for a proof: %s", printed())
        .isNotEqualTo(Torture.NOT_PROVED);
    assertThat(code).as(printed()).isZero();
    assertThat(printed()).contains("No promise was broken.").containsPattern("killed +[1-9]");
  }

  private int torture(String store, String time) {
    out.reset();
    return execute(
        "--store",
        store,
        "--time",
        time,
        "--processes",
        "3",
        "--kill-every",
        "700ms",
        "--places",
        store.equals("postgres") ? "2" : "0",
        "--directory",
        directory.resolve(time).toString());
  }

  @Test
  @Timeout(180)
  @Tag("long")
  void aValueThatAStoreIssuesTwiceIsFound() {
    int code =
        execute(
            "--store",
            "h2-server",
            "--time",
            "5s",
            "--processes",
            "2",
            "--kill-every",
            "4s",
            "--sabotage",
            "--directory",
            directory.toString());

    assertThat(code).as(printed()).isEqualTo(1);
    assertThat(printed()).contains(Findings.UNIQUE + ": BATCH: ").contains(" and (process ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          --processes=0;--processes must be from 1 to 100, was 0
          --subscribers=13;--subscribers must be from 14 to 10000, was 13
          --rate=0;--rate must be from 1 to 1000000, was 0
          --places=101;--places must be from 0 to 100, was 101
          --scale=1001;--scale must be from 1 to 1000, was 1001
          --time=10ms;--time must be from 1s to 24h, was 10ms
          --minutes=0;--minutes must be from 1s to 24h, was 0s
          --kill-every=25h;--kill-every must be from 1ms to 24h, was 25h
          --store=oracle;--store must be spanner, postgres, mysql, mariadb or h2-server, was 'oracle'
          """)
  void aWrongOptionIsRefusedWithItsLimits(String option, String message) {
    assertThat(execute(option, "--directory", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  @Timeout(120)
  void aProcessEndsWithItsParent() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(
        new ChildSettings(
                directory,
                0,
                0,
                "h2-server 1 torture",
                List.of(Mode.BATCH),
                new Sizes(1),
                100,
                java.time.Duration.ofSeconds(60),
                1,
                false,
                0)
            .arguments());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      process.getOutputStream().close();

      assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(Child.ORPHANED);
    } finally {
      process.destroyForcibly();
    }
  }
}
