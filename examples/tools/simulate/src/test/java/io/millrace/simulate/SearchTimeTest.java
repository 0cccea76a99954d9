package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static io.millrace.simulate.Scenarios.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchTimeTest {

  private static final Goal GOAL = new Goal(0.001, 0.7);

  private static Scenario asking(double rate, long nanos) {
    return Scenarios.of(
            10, rate, Delay.constant(5 * MILLISECOND), Delay.constant(2 * MILLISECOND), 200, 50)
        .withDuration(nanos);
  }

  private static long duration(Scenario scenario, double mostWork) {
    return new SearchTime(GOAL, mostWork).of(scenario).duration();
  }

  @Test
  void aRunThatShowsEnoughIsAsLongAsAskedFor() {
    assertThat(duration(asking(1_000, 100 * SECOND), 1e9)).isEqualTo(100 * SECOND);
    assertThat(duration(asking(1_000, 777 * SECOND), 1e9)).isEqualTo(777 * SECOND);
  }

  @Test
  void itIsLengthenedUntilAHundredValuesMayWait() {
    assertThat(duration(asking(1_000, MILLISECOND), 1e9)).isEqualTo(100 * SECOND);
    assertThat(duration(asking(100, MILLISECOND), 1e9)).isEqualTo(1_000 * SECOND);
  }

  @Test
  void itIsShortenedToTheWorkThatIsAllowed() {
    Scenario busy = asking(10_000, 1_000 * SECOND);
    Scenario shorter = new SearchTime(GOAL, 1e4).of(busy);
    assertThat(shorter.duration()).isBetween(700 * MILLISECOND, 900 * SECOND);
    assertThat(Work.of(shorter)).isBetween(0.99e4, 1.01e4);
  }

  @Test
  void itLastsAHundredReservationsWhateverThatTakes() {
    assertThat(duration(asking(1_000_000, MILLISECOND), 1)).isEqualTo(700 * MILLISECOND);
    assertThat(duration(asking(1_000_000, 1_000 * SECOND), 1)).isEqualTo(700 * MILLISECOND);
  }

  @Test
  void itLastsAYearAtTheMost() {
    assertThat(duration(asking(0.001, SECOND), 1e12)).isEqualTo(366 * 86_400 * SECOND);
  }
}
