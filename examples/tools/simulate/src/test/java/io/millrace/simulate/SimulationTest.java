package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static io.millrace.simulate.Scenarios.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.millrace.simulate.Outcome.End;
import io.millrace.simulate.Scenario.LockOrder;
import io.millrace.simulate.Scenario.RowChoice;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.RandomProviderDefaultState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    double atTheStart = 10_000 * (3 + 9_999 / 2.0);
    assertThat((double) outcome.issued() + outcome.bufferedAtEnd())
        .isCloseTo(atTheStart + 10_000.0 * outcome.reservations(), withinPercentage(1));
  }

  @Test
  void theSameSeedShowsTheSameAndAnotherSeedSomethingElse() {
    Scenario scenario = Scenarios.lasting(MANY, 5);
    Outcome outcome = new Simulation(scenario).run();
    assertThat(new Simulation(scenario).run()).isEqualTo(outcome);
    assertThat(new Simulation(scenario.withSeed(MANY.seed() + 1)).run()).isNotEqualTo(outcome);
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
    assertThat(outcome.end()).isEqualTo(End.FULL);
    assertThat(outcome.isOverloaded()).isTrue();
    assertThat(outcome.seconds()).isLessThan(10);
    assertThat(outcome.waiting()).isGreaterThan(5_000_000);
  }

  @Test
  void aRunThatIsHopelessForAGoalEndsThere() {
    Scenario ordered =
        Scenarios.of(20, 1_000, Delay.constant(5 * MILLISECOND), Delay.constant(0), 1, 0);
    Outcome outcome = new Simulation(ordered, 5_000, 1e9).run();
    assertThat(outcome.end()).isEqualTo(End.HOPELESS);
    assertThat(outcome.waited()).isBetween(5_001L, 5_500L);
  }

  @Test
  void aRunEndsWhenItTookItsSteps() {
    Scenario ordered =
        Scenarios.of(20, 1_000, Delay.constant(5 * MILLISECOND), Delay.constant(0), 1, 0);
    Outcome outcome = new Simulation(ordered, Long.MAX_VALUE, 20_000).run();
    assertThat(outcome.end()).isEqualTo(End.LONG);
    assertThat(outcome.steps()).isBetween(20_001L, 21_000L);
    assertThat((double) outcome.steps())
        .isCloseTo(10 * outcome.reservations() + outcome.waited(), withinPercentage(3));
    assertThat(outcome.waited()).isGreaterThan(2_000);
    assertThat(outcome.isCutOff()).isTrue();
  }

  /** Two instances wait for each other now and then, so that they bring less than twice one. */
  @Test
  void aRunIsOverloadedIfItCannotBringWhatIsAskedOrEverMoreWait() {
    Scenario two =
        Scenarios.vary(
            Scenarios.of(
                2,
                1_900,
                Delay.exponential(5 * MILLISECOND),
                Delay.constant(5 * MILLISECOND),
                10,
                0),
            Scenario.Pattern.poisson,
            RowChoice.two,
            LockOrder.fifo,
            10,
            60);
    assertThat(two.capacity(10)).isEqualTo(2_000, within(0.001));
    assertThat(new Simulation(two).run().isOverloaded()).isTrue();
    assertThat(new Simulation(two.withRate(2_001)).run().isOverloaded()).isTrue();
    assertThat(new Simulation(two.withRate(1_000)).run().isOverloaded()).isFalse();
  }

  @Test
  void whereAllWaitButAllAreServedItIsNotOverloaded() {
    Scenario ordered =
        Scenarios.lasting(
            Scenarios.of(
                50, 20_000, Delay.exponential(5 * MILLISECOND), Delay.constant(MILLISECOND), 1, 0),
            20);
    Scenario rush =
        Scenarios.lasting(
            Scenarios.of(
                2_000, 20_000, Delay.constant(5 * MILLISECOND), Delay.constant(0), 500, 10),
            11); // the first reservations take ten seconds
    for (Scenario each : new Scenario[] {ordered, rush}) {
      Outcome outcome = new Simulation(each).run();
      assertThat(outcome.stallProbability()).isGreaterThan(0.4);
      assertThat(outcome.isOverloaded()).isFalse();
    }
  }

  /** A value or two are issued in each second, or none at all. */
  @ParameterizedTest
  @ValueSource(longs = {1, 60})
  void whoWaitsAtTheEndCountsWithTheWaitUntilThen(long serviceSeconds) {
    Delay service = Delay.constant(serviceSeconds * SECOND);
    Scenario slow =
        Scenarios.vary(
            Scenarios.of(1, 1_000, service, Delay.constant(0), 2, 0),
            Scenario.Pattern.poisson,
            RowChoice.two,
            LockOrder.fifo,
            2,
            30);
    Outcome outcome = new Simulation(slow).run();
    assertThat(outcome.issued()).isLessThan(60);
    assertThat(outcome.waiting()).isBetween(29_000L, 31_000L);
    assertThat(outcome.waits()).isEqualTo(outcome.addedLatency());
    assertThat(outcome.addedLatency().p50()).isEqualTo(15_000, within(500.0));
    assertThat(outcome.waits().p99()).isEqualTo(29_700, within(300.0));
  }

  @Test
  void aWarmStartHasHalfABlockAndTheWatermark() {
    Scenario idle =
        Scenarios.warm(
                Scenarios.of(
                    10_000, 1, Delay.constant(MILLISECOND), Delay.constant(MILLISECOND), 400, 100))
            .withDuration(MILLISECOND);
    assertThat(new Simulation(idle).run().bufferedAtEnd() / 10_000.0)
        .isEqualTo(101 + 399 / 2.0, within(5.0));
  }

  /** Values on their way back are lost with their instance, too; Little's law says how many. */
  @Test
  void valuesOnTheirWayBackAreAtRisk() {
    Scenario ordered =
        Scenarios.of(
            20, 1_000, Delay.constant(MILLISECOND), Delay.constant(40 * MILLISECOND), 1, 0);
    Outcome outcome = new Simulation(ordered).run();
    assertThat(20 * outcome.atRisk()).isCloseTo(1_000 * 0.020, withinPercentage(1));
  }

  /** Where an instance learns how its rows are before that changes. */
  @Test
  void theBetterOfTwoWaitsLessThanChanceWithFewInstances() {
    assertThat(againstChance(4)).isLessThan(0.99);
  }

  /** They know little of each other, and must not run after the quicker row together. */
  @Test
  void theBetterOfTwoWaitsHardlyLongerThanChanceWithManyInstances() {
    assertThat(againstChance(40)).isLessThan(1.15);
  }

  /** How long a reservation takes by the better of two rows, to how long by one at random. */
  private static double againstChance(int instances) {
    Scenario busy =
        Scenarios.lasting(
            Scenarios.of(
                    instances,
                    0.8 * 2 * 20 / 0.005,
                    Delay.exponential(5 * MILLISECOND),
                    Delay.constant(MILLISECOND),
                    20,
                    19)
                .withRows(2),
            300);
    double better = new Simulation(busy).run().reservationTime().mean();
    double chance =
        new Simulation(
                busy, Simulation.arrivals(busy), new AtRandom(busy), (instance, askedAt, now) -> {})
            .run()
            .reservationTime()
            .mean();
    return better / chance;
  }

  private record AtRandom(UniformRandomProvider random, int rows) implements RowChooser {

    AtRandom(Scenario scenario) {
      this(Simulation.choices(scenario), scenario.rows());
    }

    @Override
    public int choose(int instance, long now) {
      return random.nextInt(rows);
    }

    @Override
    public void took(int instance, int row, long nanos, long now) {}
  }

  @Test
  void seedsSideBySideAndPurposesShareNothing() {
    Set<Long> states = new HashSet<>();
    for (long seed = 1; seed <= 20; seed++) {
      for (int purpose = 1; purpose <= 6; purpose++) {
        byte[] state =
            ((RandomProviderDefaultState)
                    Simulation.random(MANY.withSeed(seed), purpose).saveState())
                .getState();
        ByteBuffer numbers = ByteBuffer.wrap(Arrays.copyOf(state, 16));
        states.add(numbers.getLong());
        states.add(numbers.getLong());
      }
    }
    assertThat(states).hasSize(2 * 20 * 6);
  }
}
