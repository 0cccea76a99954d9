package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.SpannerTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Short runs of the guide's tool on the emulator. */
@SpannerTest
class PerfTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();

  private int run(String... arguments) {
    return Perf.commandLine(new PrintStream(printed, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(complaints, true))
        .setOut(new PrintWriter(printed, true, StandardCharsets.UTF_8))
        .execute(arguments);
  }

  private String output() {
    return printed + complaints.toString();
  }

  @ParameterizedTest
  @EnumSource
  void everyModeTakesDistinctValuesBesideItsLimit(Mode mode) {
    int code = run(mode.name(), "60", "3", "--rtt=1ms", "--app-latency=1ms", "--app=timer");

    assertThat(code).as(output()).isZero();
    assertThat(output())
        .contains("1ms away", "A small request takes", mode + ", 3 clients")
        .contains("60 iterations (3 parallel threads) in ", "Distinct values  60\n");
    if (mode.isComparison()) {
      assertThat(output()).doesNotContain("Compared with");
    } else {
      assertThat(output()).contains("Compared with    " + mode.comparison() + ", 3 clients");
    }
  }

  @Test
  void theApplicationsTransactionsAndAWarmUpAreRun() {
    int code = run("async-batch", "60", "3", "--rtt=0ms", "--app-latency=1ms", "--warm-up=100ms");

    assertThat(code).as(output()).isZero();
    assertThat(output()).contains("Warm-up ", "First values ", "values buffered at the end");
  }

  @Test
  void aRunEndsWhenItsTimeIsUp() {
    int code = run("SYNC", "1000000", "3", "--per-transaction=25", "--time-limit=1s");

    assertThat(code).as(output()).isZero();
    assertThat(output())
        .contains("SYNC 25 a transaction", "Out of time ", " of 1000000 iterations");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          FAST 100 10                       | MODE must be one of [SIMPLE, SYNC, ASYNC | was 'FAST'
          ASYNC 0 10                        | ITERATIONS must be from 1 to 10000000    | was 0
          ASYNC many 10                     | ITERATIONS must be a number from 1       | was 'many'
          ASYNC 100 10001 --app=timer       | NUMTHREADS must be from 1 to 10000       | was 10001
          ASYNC 100                         | expected MODE ITERATIONS NUMTHREADS      | was [ASYNC, 100]
          --all ASYNC 100 10                | expected nothing with --all              | was [ASYNC, 100, 10]
          SIMPLE 100 10 --per-transaction=2 | --per-transaction is for SYNC and BY_HAN | was SIMPLE
          SYNC 100 401                      | NUMTHREADS with a session each           | from 1 to 400, was 401
          BATCH 100 401                     | NUMTHREADS with a session each           | from 1 to 400, was 401
          BATCH 100 10 --app=nothing        | '--app': expected one of [TRANSACTION,   | but was 'nothing'
          BATCH 100 10 --warm-up=61s        | --warm-up must be from 0s to 1m          | was 61s
          SYNC 100 10 --per-transaction=0   | --per-transaction must be from 1         | was 0
          ASYNC 100 10 --app-latency=2m     | --app-latency must be from 0s to 1m      | was 2m
          ASYNC 100 10 --rtt=11s            | --rtt must be from 0s to 10s             | was 11s
          ASYNC 100 10 --time-limit=1ms     | --time-limit must be from 1s to 1h       | was 1ms
          """)
  void refusesAWrongOptionInOneLineWithItsLimit(String command, String limit, String value) {
    assertThat(run(command.trim().split(" +"))).isEqualTo(2);
    assertThat(complaints.toString()).contains(limit, value);
    assertThat(complaints.toString().lines()).hasSize(1);
  }

  @Test
  void helpNamesEveryMode() {
    assertThat(run("--help")).isZero();
    assertThat(output())
        .contains("MODE ITERATIONS NUMTHREADS")
        .contains(Arrays.stream(Mode.values()).map(Mode::text).toList());
  }
}
