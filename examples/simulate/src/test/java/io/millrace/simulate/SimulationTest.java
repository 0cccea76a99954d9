package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulate.Outcome.End;
import org.junit.jupiter.api.Test;

class SimulationTest {

  private static final Scenario MANY =
      Scenarios.lasting(
          Scenarios.warm(
              Scenarios.of(
                  10_000,
                  1_000_000,
                  Delay.lognormal(4 * MILLISECOND, 12 * MILLISECOND),
                  Delay.exponential(2 * MILLISECOND),
                  10_000,
                  2)),
          60);

  @Test
  void sixtyMillionValuesOfTenThousandInstancesAreAccountedFor() {
    Outcome outcome = new Simulation(MANY).run();
    assertThat(outcome.end()).isEqualTo(End.COMPLETE);
    assertThat(outcome.asked()).isBetween(59_900_000L, 60_100_000L);
    assertThat(outcome.reservations()).isBetween(5_900L, 6_100L);
    assertThat(outcome.asked() - outcome.issued()).isBetween(0L, outcome.waited());
    assertThat(outcome.throughput()).isEqualTo(outcome.issued() / 60.0);
  }

  @Test
  void theSameSeedShowsTheSameAndAnotherSeedSomethingElse() {
    assertThat(new Simulation(MANY).run()).isEqualTo(new Simulation(MANY).run());
    assertThat(new Simulation(MANY).run())
        .isNotEqualTo(new Simulation(MANY.withSeed(MANY.seed() + 1)).run());
  }

  @Test
  void whereNothingIsKeptAllValuesWaitAndNoneIsLeft() {
    Scenario ordered =
        Scenarios.of(20, 1_000, Delay.constant(5 * MILLISECOND), Delay.constant(MILLISECOND), 1, 0);
    Outcome outcome = new Simulation(ordered).run();
    assertThat(outcome.stallProbability()).isEqualTo(1);
    assertThat(outcome.bufferedAtEnd()).isZero();
    assertThat(outcome.addedLatency()).isEqualTo(outcome.waits());
    assertThat(outcome.reservations()).isLessThan(outcome.issued()); // shared by those who wait
  }

  @Test
  void reservedIsIssuedAndBuffered() {
    Scenario cold =
        Scenarios.of(
            20, 1_000, Delay.constant(5 * MILLISECOND), Delay.constant(MILLISECOND), 50, 10);
    Outcome outcome = new Simulation(cold).run();
    assertThat(outcome.waits().max()).isBetween(50.0, 110.0); // twenty behind each other
    assertThat(outcome.issued() + outcome.bufferedAtEnd()).isEqualTo(50 * outcome.reservations());
  }

  @Test
  void aWarmStartHasNoRush() {
    Scenario cold =
        Scenarios.lasting(
            Scenarios.of(200, 2_000, Delay.constant(5 * MILLISECOND), Delay.constant(0), 500, 10),
            60);
    assertThat(new Simulation(cold).run().waits().max()).isGreaterThan(500);
    assertThat(new Simulation(Scenarios.warm(cold)).run().waits().max()).isLessThan(100);
  }

  @Test
  void rowsThatCannotKeepUpEndTheRunBeforeMemoryDoes() {
    Scenario hopeless =
        Scenarios.of(
            1_000, 50_000_000, Delay.constant(5 * MILLISECOND), Delay.constant(0), 1_000, 100);
    Outcome outcome = new Simulation(hopeless).run();
    assertThat(outcome.end()).isEqualTo(End.OVERLOADED);
    assertThat(outcome.seconds()).isLessThan(10);
  }

  @Test
  void aRunThatIsHopelessForAGoalEndsThere() {
    Scenario ordered =
        Scenarios.of(20, 1_000, Delay.constant(5 * MILLISECOND), Delay.constant(0), 1, 0);
    Outcome outcome = new Simulation(ordered, 5_000).run();
    assertThat(outcome.end()).isEqualTo(End.HOPELESS);
    assertThat(outcome.waited()).isBetween(5_001L, 5_500L);
  }
}
