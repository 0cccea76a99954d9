package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TallyTest {

  private final Tally tally = new Tally(10, 3);

  private void take(int client, long nanos, Long... values) {
    tally.begin(client, values.length);
    tally.took(client, new Taking.Taken(List.of(values), nanos));
  }

  @Test
  void countsTheFirstValueOfEachClientApart() {
    take(0, 500, 7L);
    take(0, 5_000, 8L);
    take(2, 700, 9L, 10L);

    assertThat(tally.taken()).isEqualTo(4);
    assertThat(tally.taking().count()).isEqualTo(4);
    assertThat(tally.first().count()).isEqualTo(2);
    assertThat(tally.first().longest()).isEqualTo(700);
  }

  @Test
  void errorsAreNotValuesAndHaveNoLatency() {
    take(0, 500, 7L);
    tally.begin(0, 2);
    tally.failed(0, 2, new IllegalStateException("no"));
    tally.begin(1, 1);
    tally.failed(1, 1, new ArithmeticException("no"));

    assertThat(tally.taken()).isEqualTo(1);
    assertThat(tally.errors())
        .isEqualTo(Map.of("IllegalStateException", 2, "ArithmeticException", 1));
    assertThat(tally.iteration().count()).isEqualTo(1);
  }

  @Test
  void noMoreIterationsBeginThanThereAre() {
    assertThat(tally.begin(0, 4) + tally.begin(0, 4) + tally.begin(0, 4)).isEqualTo(10);
    assertThat(tally.begin(0, 4)).isZero();
  }

  @Test
  void findsValuesThatCameTwice() {
    for (long value : new long[] {5, 6, 5, 5}) {
      take(0, 1, value);
    }
    assertThat(tally.duplicates()).isEqualTo(2);
  }

  @Test
  void iterationsThatHaveBegunCountUntilTheStop() {
    tally.begin(0, 1);
    tally.begin(1, 1);
    tally.stopNewIterations();
    assertThat(tally.begin(2, 1)).isZero();
    tally.took(0, new Taking.Taken(List.of(1L), 1));
    tally.stop();
    tally.took(1, new Taking.Taken(List.of(2L), 1));

    assertThat(tally.taken()).isEqualTo(1);
    assertThat(tally.unfinished()).isEqualTo(1);
    assertThat(tally.longestUnfinished()).isPositive();
  }
}
