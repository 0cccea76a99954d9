package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunReportTest {

  private static final Workload WORKLOAD =
      new Workload(
          Mode.ASYNC_BATCH,
          2_000,
          10,
          1,
          Application.TRANSACTION,
          Duration.ofMillis(10),
          Duration.ZERO,
          Duration.ofSeconds(10));

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final RunReport report =
      new RunReport(new PrintStream(printed, true, StandardCharsets.UTF_8));

  private static Figures run(
      Workload workload, int taken, int duplicates, Map<String, Integer> errors, long millis) {
    Latencies times = new Latencies();
    times.record(27_000_000);
    return new Figures(
        workload, 0, taken, duplicates, errors, 3, 125_000_000, millis, times, times, times, null);
  }

  private static Figures done(Workload workload, long millis) {
    return run(workload, 2_000, 0, Map.of(), millis);
  }

  private List<String> lines() {
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void theFirstLinesAreThoseOfTheGuide() {
    report.print(done(WORKLOAD, 58_739));

    assertThat(lines())
        .startsWith(
            "2000 iterations (10 parallel threads) in 58739 milliseconds: 34.048928 values/s",
            "Latency: 50%ile 27 ms",
            "Latency: 75%ile 27 ms",
            "Latency: 90%ile 27 ms",
            "Latency: 99%ile 27 ms",
            "")
        .contains("Distinct values  2000", "Errors           0 {}")
        .noneMatch(line -> line.startsWith("Out of time"));
  }

  @Test
  void aRunThatRanOutOfTimeSaysHowFarItCame() {
    report.print(run(WORKLOAD, 300, 0, Map.of("SequenceTimeoutException", 7), 10_000));

    assertThat(lines())
        .contains(
            "Out of time      307 of 2000 iterations; 3 clients in one more, the longest for 125.000"
                + " ms",
            "Errors           7 {SequenceTimeoutException=7}");
  }

  @Test
  void aValueThatCameTwiceOrAnErrorOrNoValueIsNotSound() {
    Figures twice = run(WORKLOAD, 2_000, 1, Map.of(), 1_000);
    report.print(twice);

    assertThat(lines()).contains("Distinct values  1999; FAILED: 1 came twice");
    assertThat(twice.sound()).isFalse();
    assertThat(run(WORKLOAD, 1_999, 0, Map.of("Error", 1), 1_000).sound()).isFalse();
    assertThat(run(WORKLOAD, 0, 0, Map.of(), 1_000).sound()).isFalse();
    assertThat(done(WORKLOAD, 1_000).sound()).isTrue();
  }

  @Test
  void aRunIsComparedWithTheSameWorkOnly() {
    Figures limit = done(WORKLOAD.comparison(), 800);
    Figures otherWork = done(WORKLOAD.with(Mode.COUNTER, 11), 100);
    report.printComparison(done(WORKLOAD, 1_000), limit);
    report.printTable(List.of(otherWork, limit, done(WORKLOAD, 1_000)));

    assertThat(lines())
        .first()
        .asString()
        .startsWith("Compared with    COUNTER, 10 clients: 2500.0 values/s")
        .endsWith("the ratio is 0.80");
    assertThat(lines()).anyMatch(line -> line.matches("ASYNC_BATCH, 10 .* 0.80 of COUNTER .*"));
  }
}
