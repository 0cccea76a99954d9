package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What the command does with what its runs give: which are run, and how it ends. */
class PerfRunsTest {

  private static final Latencies TAKING = Samples.micros(2_000, 12, 34, 56, 78, 90);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();

  private int run(PlannedPlace place, String... arguments) {
    return Perf.commandLine(place, new PrintStream(printed, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(complaints, true))
        .execute(arguments);
  }

  private static PlannedPlace each(Function<Workload, Figures> plan) {
    return new PlannedPlace(plan);
  }

  private static Figures good(Workload workload) {
    return Samples.done(workload, 1_000, TAKING, 1);
  }

  @Test
  void allRunsTheModesBesideTheirLimits() {
    PlannedPlace place = each(PerfRunsTest::good);
    assertThat(run(place, "--all")).isZero();
    assertThat(place.asked).hasSize(18);
    assertThat(place.asked)
        .extracting(workload -> workload.mode() + " " + workload.clients())
        .doesNotHaveDuplicates()
        .startsWith("BY_HAND 10", "BY_HAND 50", "SYNC 10", "SYNC 50", "COUNTER 10");
    assertThat(place.asked)
        .allMatch(workload -> workload.application() == Application.Kind.TRANSACTION)
        .allMatch(workload -> workload.warmUp().isZero());
    assertThat(place.asked)
        .allMatch(workload -> workload.timeLimit().toSeconds() == 10)
        .allMatch(workload -> workload.iterations() == 100_000);
    assertThat(place.closed).isTrue();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("nowhere")
        .contains("A small request takes 50%ile 5.900 ms, longest 6.300 ms")
        .contains("; without the proxy 50%ile 0.600 ms")
        .contains("ASYNC, 50 clients: 100000.0 values/s")
        .contains("1.00 of COUNTER")
        .contains("1.00 of BY_HAND");
  }

  @Test
  void anErrorIsToldWithItsCauses() {
    PlannedPlace place =
        each(
            workload -> {
              if (workload.mode() == Mode.ASYNC) {
                throw new IllegalStateException("lost", new IOException("reset by peer"));
              }
              return good(workload);
            });
    assertThat(run(place, "--all")).isEqualTo(1);
    assertThat(place.closed).isTrue();
    assertThat(complaints.toString().lines())
        .containsExactly(
            "perf: java.lang.IllegalStateException: lost",
            "  caused by java.io.IOException: reset by peer");
  }

  @Test
  void aValueThatCameTwiceOrAnIterationThatFailedIsExitCodeOne() {
    assertThat(
            run(
                each(workload -> Samples.some(workload, 99, 1, 0, 1_000, TAKING, 1)),
                "ASYNC",
                "100",
                "10"))
        .isEqualTo(1);
    assertThat(
            run(
                each(workload -> Samples.some(workload, 99, 0, 1, 1_000, TAKING, 1)),
                "ASYNC",
                "100",
                "10"))
        .isEqualTo(1);
  }

  @Test
  void oneRowThatIsNotSoundIsExitCodeOneOfAll() {
    assertThat(
            run(
                each(
                    workload ->
                        Samples.some(
                            workload,
                            99,
                            workload.mode() == Mode.NATIVE ? 1 : 0,
                            0,
                            1_000,
                            TAKING,
                            1)),
                "--all"))
        .isEqualTo(1);
  }

  @Test
  void targetsThatAreMetAreExitCodeZero() {
    PlannedPlace place =
        each(
            workload ->
                Samples.done(workload, isSlow(workload.mode()) ? 60_000 : 1_000, TAKING, 1));
    assertThat(run(place, "--targets")).isZero();
    assertThat(place.asked)
        .hasSize(24)
        .allMatch(workload -> workload.timeLimit().toSeconds() == 10);
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.startsWith("met "))
        .hasSize(13);
  }

  private static boolean isSlow(Mode mode) {
    return mode == Mode.ONE_TXN_EACH || mode == Mode.BY_HAND;
  }

  @Test
  void aTargetThatIsMissedIsExitCodeOne() {
    assertThat(run(each(PerfRunsTest::good), "--targets")).isEqualTo(1);
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.startsWith("MISSED "))
        .hasSize(3);
  }

  @Test
  void besideARunItsLimitIsRun() {
    PlannedPlace place = each(PerfRunsTest::good);
    assertThat(run(place, "SYNC", "100", "10", "--per-transaction=4", "--app=timer")).isZero();
    assertThat(run(place, "NATIVE", "100", "10", "--warm-up=2s")).isZero();
    assertThat(run(place, "COUNTER", "100", "10")).isZero();
    assertThat(place.asked)
        .extracting(
            run -> run.mode() + " " + run.perTurn() + " " + run.application() + " " + run.warmUp())
        .containsExactly(
            "SYNC 4 TIMER PT0S",
            "BY_HAND 4 TIMER PT0S",
            "NATIVE 1 TRANSACTION PT2S",
            "COUNTER 1 TRANSACTION PT2S",
            "COUNTER 1 TRANSACTION PT0S");
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("Compared with    BY_HAND 4");
  }

  @Test
  void whatARunIsComparedWithDoesNotDecideTheExitCode() {
    PlannedPlace place =
        each(
            workload ->
                Samples.some(
                    workload,
                    workload.iterations() - 1,
                    0,
                    workload.mode() == Mode.COUNTER ? 1 : 0,
                    1_000,
                    TAKING,
                    1));
    assertThat(run(place, "ASYNC", "100", "10")).isZero();
    assertThat(run(place, "--all")).isZero();
    assertThat(run(place, "COUNTER", "100", "10")).isEqualTo(1);
  }

  @Test
  void aSmallBlockHasAWatermarkOfAQuarter() {
    PlannedPlace place = each(PerfRunsTest::good);
    for (String size : new String[] {"2", "50", "200", "4000"}) {
      assertThat(run(place, "ASYNC_BATCH", "100", "10", "--block-size", size)).isZero();
    }
    assertThat(place.asked)
        .filteredOn(workload -> workload.mode() == Mode.ASYNC_BATCH)
        .extracting(Workload::watermark)
        .containsExactly(1L, 12L, 50L, 50L);
  }
}
