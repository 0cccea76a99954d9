package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.millrace.simulate.Scenario.LockOrder;
import io.millrace.simulate.Scenario.Pattern;
import io.millrace.simulate.Scenario.RowChoice;
import java.util.Arrays;
import java.util.Random;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests passed in runs against the same requests passed one by one. */
class ArrivalsTest {

  private static Scenario scenario(long block, long watermark) {
    return Scenarios.lasting(
        Scenarios.of(
            40,
            4_000,
            Delay.exponential(2 * MILLISECOND),
            Delay.exponential(10 * MILLISECOND),
            block,
            watermark),
        300);
  }

  private static Outcome oneByOne(Scenario scenario, long[][] times) {
    return new Simulation(
            scenario,
            new TraceArrivals(times),
            Simulation.chooser(scenario),
            (instance, askedAt, now) -> {})
        .run();
  }

  @ParameterizedTest
  @CsvSource({"40, 0", "40, 1", "40, 2", "1, 0"})
  void randomRequestsPassedInRunsShowWhatThoseDrawnOneByOneShow(long block, long watermark) {
    Scenario scenario = scenario(block, watermark);

    Outcome runs = new Simulation(scenario).run();
    Outcome single = oneByOne(scenario, TraceArrivals.random(scenario, new Random(1)));

    assertThat(runs.waited()).isGreaterThan(500);
    assertThat((double) runs.asked()).isCloseTo(single.asked(), withinPercentage(0.5));
    assertThat((double) runs.waited()).isCloseTo(single.waited(), withinPercentage(8));
    assertThat(runs.waits().mean()).isCloseTo(single.waits().mean(), withinPercentage(5));
    assertThat(runs.waits().p99()).isCloseTo(single.waits().p99(), withinPercentage(10));
    assertThat(runs.atRisk()).isCloseTo(single.atRisk(), withinPercentage(2));
    assertThat((double) runs.bufferedAtEnd())
        .isCloseTo(single.bufferedAtEnd(), withinPercentage(block == 1 ? 0 : 30));
  }

  @ParameterizedTest
  @CsvSource({"40, 0", "40, 3", "1, 0", "10, 9"})
  void evenRequestsPassedInRunsShowExactlyWhatTheyShowOneByOne(long block, long watermark) {
    Scenario scenario =
        Scenarios.vary(
            scenario(block, watermark), Pattern.constant, RowChoice.two, LockOrder.fifo, 50, 30);
    Arrivals even = even(scenario);
    long[][] times = new long[scenario.instances()][];
    Arrays.setAll(
        times,
        instance -> {
          long[] trace = new long[(int) (scenario.duration() / scenario.gap()) + 2];
          Arrays.setAll(trace, i -> even.skip(instance, 0, 1));
          return trace;
        });

    Outcome runs =
        new Simulation(
                scenario,
                even(scenario),
                Simulation.chooser(scenario),
                (instance, askedAt, now) -> {})
            .run();

    assertThat(runs.waited()).isGreaterThan(500);
    assertThat(runs).isEqualTo(oneByOne(scenario, times));
  }

  private static Arrivals even(Scenario scenario) {
    return new ConstantArrivals(
        RandomSource.XO_RO_SHI_RO_128_PP.create(9L), scenario.instances(), scenario.gap());
  }

  @Test
  void evenRequestsComeAtTheRate() {
    Scenario scenario =
        Scenarios.vary(scenario(40, 3), Pattern.constant, RowChoice.two, LockOrder.fifo, 50, 200);
    assertThat((double) new Simulation(scenario).run().asked())
        .isCloseTo(4_000 * 200, withinPercentage(0.01));
  }
}
