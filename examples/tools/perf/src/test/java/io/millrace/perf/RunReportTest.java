package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunReportTest {

  private static final Latencies TAKING = Samples.micros(2_000, 12, 34, 5_678, 17_000, 20_001);

  private static List<String> lines(Figures run) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    new RunReport(new PrintStream(printed, true, StandardCharsets.UTF_8)).print(run);
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void theFirstLinesAreThoseOfTheGuide() {
    assertThat(lines(Samples.done(Samples.WORKLOAD, 58_739, TAKING, 1)))
        .startsWith(
            "2000 iterations (10 parallel threads) in 58739 milliseconds: 34.048928 values/s",
            "Latency: 50%ile 27 ms",
            "Latency: 75%ile 512 ms",
            "Latency: 90%ile 1189 ms",
            "Latency: 99%ile 2703 ms",
            "");
  }

  @Test
  void thenComesWhatTheGuideDoesNotTell() {
    Workload warm = Samples.WORKLOAD.withTimerOnly(Duration.ofSeconds(1));
    assertThat(lines(Samples.done(warm, 58_739, TAKING, 1)))
        .endsWith(
            "Warm-up          700 values and 1 error, not in any other figure",
            "Taking a value   50%ile 0.012 ms, 90%ile 5.678 ms, 99%ile 17.000 ms, longest 20.001 ms",
            "First values     50%ile 80.000 ms, longest 90.000 ms: the first value of each of 10"
                + " clients",
            "Distinct values  2000",
            "Errors           0",
            "Reservations     11 of 200.0 values on average; 50%ile 11.900 ms, longest 14.000 ms;"
                + " 0 failed",
            "Longest wait     1 reservation",
            "Waste            200 values reserved and not issued; 150 given back at the end",
            "Requests         22 (0.011 a value); 3 aborted by Spanner")
        .noneMatch(line -> line.startsWith("Out of time"));
  }

  @Test
  void withoutAWarmUpTheFirstValuesAreAColdStart() {
    assertThat(lines(Samples.done(Samples.WORKLOAD, 1_000, TAKING, 1)))
        .contains(
            "Cold start       50%ile 80.000 ms, longest 90.000 ms: the first value of each of 10"
                + " clients")
        .noneMatch(line -> line.startsWith("Warm-up") || line.startsWith("First values"));
  }

  @Test
  void theRunToCompareWithIsPrintedWithTheRatio() {
    Figures run = Samples.done(Samples.WORKLOAD, 1_000, TAKING, 1);
    Figures limit = Samples.done(Samples.WORKLOAD.comparison(), 800, TAKING, 1);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    new RunReport(new PrintStream(printed, true, StandardCharsets.UTF_8)).print(run, limit);
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "Compared with    COUNTER, 10 clients: 2500.0 values/s, taking one 50%ile 0.012 ms,"
                + " 99%ile 17.000 ms, 0.011 requests a value",
            "                 ASYNC_BATCH gave 0.80 times as many");
  }

  @Test
  void aRunThatRanOutOfTimeSaysWhatItDid() {
    assertThat(lines(Samples.some(Samples.WORKLOAD, 300, 0, 7, 10_000, TAKING, 1)))
        .startsWith(
            "300 iterations (10 parallel threads) in 10000 milliseconds: 30.000000 values/s")
        .contains(
            "Out of time      307 of 2000 iterations; 10 clients at one more, the first of them for"
                + " 125 ms",
            "Errors           7 {SequenceTimeoutException=7}");
  }

  @Test
  void aValueThatCameTwiceIsAFailure() {
    Figures doubled = Samples.some(Samples.WORKLOAD, 2_000, 1, 0, 1_000, TAKING, 1);
    assertThat(lines(doubled)).contains("Distinct values  1999; FAILED: 1 came twice");
    assertThat(doubled.sound()).isFalse();
  }

  @Test
  void anIterationThatFailedIsAFailure() {
    assertThat(Samples.some(Samples.WORKLOAD, 1_999, 0, 1, 1_000, TAKING, 1).sound()).isFalse();
    assertThat(Samples.done(Samples.WORKLOAD, 1_000, TAKING, 1).sound()).isTrue();
  }

  @Test
  void aWaitThatIsNotKnownIsNotPrinted() {
    Workload unordered = Samples.WORKLOAD.with(Mode.NATIVE, 10);
    assertThat(lines(Samples.done(unordered, 1_000, TAKING, 0)))
        .noneMatch(line -> line.startsWith("Longest wait"))
        .anyMatch(line -> line.startsWith("Waste"));
  }

  @Test
  void aHundredReservationsHaveAPercentile() {
    Reserved many = new Reserved(100, 0, 100, Samples.micros(100, 1, 2, 3, 4, 5), 1L, 0, 0);
    Reserved few = new Reserved(99, 0, 99, Samples.micros(99, 1, 2, 3, 4, 5), 1L, 0, 0);
    assertThat(many.hasPercentiles()).isTrue();
    assertThat(few.hasPercentiles()).isFalse();
  }

  @Test
  void inTheApplicationsTransactionThereAreNoReservations() {
    Workload sync = Samples.WORKLOAD.with(Mode.SYNC, 10);
    assertThat(lines(Samples.done(sync, 1_000, TAKING, 0)))
        .noneMatch(line -> line.startsWith("Reservations") || line.startsWith("Waste"))
        .anyMatch(line -> line.startsWith("Requests"));
  }

  @Test
  void noValueAtAllIsAFailure() {
    assertThat(Samples.some(Samples.WORKLOAD, 0, 0, 9, 1_000, Samples.NONE, 0).sound()).isFalse();
  }
}
