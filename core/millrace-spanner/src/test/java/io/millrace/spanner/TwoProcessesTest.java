package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.SequenceBlock;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two JVMs take values of one sequence, and one of them is killed in the middle. */
@SpannerTest
class TwoProcessesTest {

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endWhatWasStarted() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void processesGiveDisjointValuesAlsoIfOneIsKilled(EmulatorDatabase database) throws Exception {
    SpannerSequenceStore store = SpannerSequenceStore.create(database.client());
    database.update(store.createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    store.create("s", 1).block(Duration.ofSeconds(30));

    Process victim = start(database, "endless");
    Process survivor = start(database, "500");
    List<Long> fromVictim = new ArrayList<>();
    try (BufferedReader lines = output(victim)) {
      for (int i = 0; i < 300; i++) {
        fromVictim.add(number(lines.readLine()));
      }
      victim.toHandle().destroyForcibly(); // unlike the process's own method, leaves its output
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.matches("[0-9]+x")) { // whole: the kill may have cut the last line short
          fromVictim.add(number(line));
        }
      }
    }
    List<Long> fromSurvivor = readAll(survivor);
    assertThat(survivor.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(survivor.exitValue()).isZero();

    SequenceBlock ofAnHeir =
        store.reserve("s", 100).blockOptional(Duration.ofSeconds(30)).orElseThrow();
    assertThat(fromVictim).hasSizeGreaterThanOrEqualTo(300);
    assertThat(fromSurvivor).hasSize(500);
    Set<Long> all = new HashSet<>(fromVictim);
    all.addAll(fromSurvivor);
    assertThat(all)
        .hasSize(fromVictim.size() + 500)
        .noneMatch(value -> value >= ofAnHeir.first() && value <= ofAnHeir.last());
  }

  private Process start(EmulatorDatabase database, String count) throws IOException {
    Process process = SecondJvm.start(ValuesProgram.class, database, "s", count);
    started.add(process);
    return process;
  }

  private static List<Long> readAll(Process process) throws IOException {
    try (BufferedReader lines = output(process)) {
      return lines.lines().map(TwoProcessesTest::number).toList();
    }
  }

  /** A line is a number and a mark that shows it was written whole. */
  private static long number(String line) {
    assertThat(line).matches("[0-9]+x");
    return Long.parseLong(line.substring(0, line.length() - 1));
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}
