package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  private static final Latencies TAKING = Samples.micros(2_000, 12, 34, 5_678, 17_000, 20_001);

  private static Figures run(Workload workload) {
    return Samples.done(workload, 1_000, TAKING, 1);
  }

  @Test
  void theGuidesTableHasItsEightRows() {
    assertThat(Guide.TABLE).hasSize(8).doesNotHaveDuplicates();
    assertThat(Guide.TABLE)
        .contains(
            new Guide(Mode.SYNC, 50, 30.6, 1191, 3513, 5982),
            new Guide(Mode.ASYNC_BATCH, 50, 1622, 24, 28, 30));
  }

  @Test
  void aRunStandsBesideTheGuidesNumbersForTheSameSettings() {
    assertThat(new Table(List.of(run(Samples.WORKLOAD))).markdown().lines())
        .hasSize(3)
        .last()
        .isEqualTo(
            "| ASYNC_BATCH 200, watermark 50 | 10 | 2000 | 512 | 27.9 / 1190.0 / 2703.5 |"
                + " 18 / 20 / 30 | 0.012 / 17.000 | 0.011 | 3 | 0 | 2000 | 0 |");
  }

  @Test
  void otherSettingsHaveNoNumbersOfTheGuide() {
    assertThat(Table.guide(run(Samples.WORKLOAD.with(400, 50)))).isEmpty();
    assertThat(Table.guide(run(Samples.WORKLOAD.with(200, 51)))).isEmpty();
    assertThat(Table.guide(run(Samples.WORKLOAD.with(Mode.ASYNC_BATCH, 11)))).isEmpty();
    assertThat(Table.guide(run(Samples.WORKLOAD.with(Mode.NATIVE, 10)))).isEmpty();
    assertThat(Table.guide(run(Samples.WORKLOAD.with(Mode.SYNC, 10)))).isPresent();
  }

  @Test
  void severalValuesATransactionHaveNoNumbersOfTheGuide() {
    assertThat(Table.guide(run(Samples.several(Samples.WORKLOAD.with(Mode.SYNC, 10), 5))))
        .isEmpty();
  }

  @Test
  void aRunThatRanOutOfTimeShowsHowFarItCameAndWhomItsPercentilesLeaveOut() {
    Figures cut = Samples.some(Samples.WORKLOAD, 300, 0, 7, 10_000, TAKING, 1);
    assertThat(new Table(List.of(cut)).markdown()).endsWith("| 7 | 307 of 2000 | 10, 125.0 |");
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
