package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final Latencies TAKING = Samples.micros(2_000, 12, 34, 5_678, 17_000, 20_001);

  private static Figures run(Workload workload) {
    return Samples.done(workload, 1_000, TAKING, 1);
  }

  @Test
  void aRunStandsBesideTheRatioToItsLimit() {
    Figures limit = Samples.done(Samples.WORKLOAD.comparison(), 800, TAKING, 1);
    String last =
        new Table(List.of(limit, run(Samples.WORKLOAD)))
            .text()
            .lines()
            .reduce((before, line) -> line)
            .orElse("");
    assertThat(last.replaceAll(" {2,}", "|"))
        .isEqualTo(
            "ASYNC_BATCH 200, watermark 50|10|2000|0.80 of COUNTER|27.9 / 1190.0 / 2703.5|0.012 /"
                + " 17.000|80.000 / 90.000|0.011|3|0|2000|0");
  }

  @Test
  void onlyTheSameWorkIsCompared() {
    Figures limit = run(Samples.WORKLOAD.comparison());
    assertThat(Table.compared(run(Samples.WORKLOAD), List.of(limit))).isEqualTo("1.00 of COUNTER");
    assertThat(Table.compared(limit, List.of(limit))).isEmpty();
    for (Workload other :
        List.of(
            Samples.WORKLOAD.with(Mode.ASYNC_BATCH, 11),
            Samples.WORKLOAD.with(Mode.SIMPLE, 10),
            Samples.WORKLOAD.withTimerOnly(Duration.ZERO))) {
      assertThat(Table.compared(run(other), List.of(limit))).as("%s", other).isEmpty();
    }
    assertThat(Table.compared(run(Samples.WORKLOAD), List.of())).isEmpty();
  }

  @Test
  void transactionsAreComparedWithALoopThatTakesAsManyValues() {
    Workload sync = Samples.several(Samples.WORKLOAD.with(Mode.SYNC, 10), 5);
    assertThat(sync.comparison().label()).isEqualTo("BY_HAND 5 a transaction");
    Figures loop = run(sync.comparison());
    assertThat(Table.compared(run(sync), List.of(loop))).isEqualTo("1.00 of BY_HAND");
    Figures one = run(Samples.WORKLOAD.with(Mode.BY_HAND, 10));
    assertThat(Table.compared(run(sync), List.of(one))).isEmpty();
  }

  @Test
  void aRunThatRanOutOfTimeShowsHowFarItCameAndWhomItsPercentilesLeaveOut() {
    Figures cut = Samples.some(Samples.WORKLOAD, 300, 0, 7, 10_000, TAKING, 1);
    assertThat(new Table(List.of(cut)).text()).containsPattern(" 7 +307 of 2000 +10, 125.0$");
  }

  @Test
  void everyRowOfTheTextIsAsWideAsTheHead() {
    List<String> lines =
        new Table(List.of(run(Samples.WORKLOAD), run(Samples.WORKLOAD.with(Mode.ONE_TXN_EACH, 50))))
            .text()
            .lines()
            .toList();
    assertThat(lines).hasSize(3).allMatch(line -> line.length() == lines.get(0).length());
    assertThat(lines.get(2)).startsWith("ONE_TXN_EACH ").contains(" 50 ");
  }
}
