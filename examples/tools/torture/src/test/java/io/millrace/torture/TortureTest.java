package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.millrace.databases.DatabaseKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TortureTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringWriter err = new StringWriter();

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  private Path directory;

  private int execute(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--directory", directory.resolve("" + out.size()).toString()));
    return Torture.commandLine(new PrintStream(out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8) + err;
  }

  @Test
  @Timeout(240)
  void noPromiseIsBrokenOnPostgreSqlWhileProcessesAreKilled() {
    noPromiseIsBroken("postgres", "2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spanner", "mariadb"})
  @Tag("long")
  @Timeout(240)
  void noPromiseIsBrokenWhileProcessesAreKilled(String store) {
    noPromiseIsBroken(store, "100");
  }

  private void noPromiseIsBroken(String store, String places) {
    int code = torture(store, places, "10s");
    if (code == Torture.NOT_PROVED) { // a slow machine kills fewer processes
      code = torture(store, places, "30s");
    }

    if (!Boolean.getBoolean((store.equals("mariadb") ? "mysql" : store) + ".required")) {
      assumeThat(code).as(printed()).isNotEqualTo(Torture.NOTHING_RUN);
    }
    assumeThat(code)
        .as("a machine fast enough for a proof: %s", printed())
        .isNotEqualTo(Torture.NOT_PROVED);
    assertThat(code).as(printed()).isZero();
    assertThat(printed()).contains("No promise was broken.").containsPattern("killed +[1-9]");
  }

  private int torture(String store, String places, String time) {
    String common = "--processes=3 --kill-every=700ms --store=" + store + " --places=" + places;
    return execute((common + " --time=" + time).split(" "));
  }

  @Test
  @Timeout(180)
  @Tag("long")
  void findsAValueThatIsIssuedTwiceAndALostRow() {
    int code = execute("--time=5s", "--processes=3", "--kill-every=1s", "--sabotage");

    assumeThat(code).as(printed()).isNotEqualTo(Torture.NOTHING_RUN);
    assertThat(code).as(printed()).isEqualTo(1);
    assertThat(printed()).contains(Checker.UNIQUE + ": BATCH: ", Checker.GAPLESS + ": WRITER: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          --processes=0;--processes must be from 1 to 100, was 0
          --places=101;--places must be from 1 to 100, was 101
          --time=10ms;--time must be from 1s to 2h, was 10ms
          --kill-every=3h;--kill-every must be from 1ms to 2h, was 3h
          --store=oracle;expected one of [POSTGRES, MYSQL, MARIADB, SPANNER]
          --workload=soak;expected one of [GENERATORS, ROWS, TRANSACTIONAL]
          """)
  void refusesAWrongOptionWithItsLimits(String option, String message) {
    assertThat(execute(option)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private Worker worker() {
    return new Worker(
        0,
        life ->
            new ChildSettings(
                directory, 0, life, DatabaseKind.POSTGRESQL, 1, "", List.of(Mode.BATCH), 1),
        null);
  }

  @Test
  @Timeout(120)
  void aProcessEndsWhenItsParentClosesItsInput() throws InterruptedException {
    Worker worker = worker();
    worker.start();
    try {
      worker.suffer(Fault.LEAVE, new SplittableRandom());

      assertThat(worker.await(Duration.ofSeconds(60))).isTrue();
      assertThat(worker.unexpectedEnd()).isNull();
    } finally {
      worker.close();
    }
  }

  @Test
  @Timeout(120)
  void aClosedWorkerStartsNoProcess() throws InterruptedException {
    Worker worker = worker();
    worker.start();
    worker.close();
    worker.start();

    assertThat(worker.await(Duration.ofSeconds(60))).isTrue();
    assertThat(worker).hasToString("process 0, life 0");
    assertThat(worker.isAlive()).isFalse();
  }
}
