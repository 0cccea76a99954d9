package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulate.Planner.Plan;
import io.millrace.simulate.Planner.Search;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlannerTest {

  private static final Goal GOAL = new Goal(0.001, 0.7);

  private static final Scenario SHOP =
      Scenarios.lasting(
          Scenarios.warm(
              Scenarios.of(
                  50,
                  20_000,
                  Delay.lognormal(5 * MILLISECOND, 20 * MILLISECOND),
                  Delay.exponential(2 * MILLISECOND),
                  200,
                  50)),
          120);

  private static Plan plan(Scenario scenario, int mostRows) {
    return requireNonNull(search(scenario, GOAL, mostRows, Planner.MOST_WORK).plan());
  }

  private static Search search(Scenario scenario, Goal goal, int mostRows, double mostWork) {
    return new Planner(scenario, goal, mostRows, mostWork, () -> {}).search();
  }

  @Test
  void aPlanReachesAboutTheGoalWithOtherSeedsAndMuchLessDoesNot() {
    AtomicInteger runs = new AtomicInteger();
    Search search = new Planner(SHOP, GOAL, 64, Planner.MOST_WORK, runs::incrementAndGet).search();
    Plan plan = requireNonNull(search.plan());
    Scenario settings = plan.settings();

    assertThat(search.runs()).isEqualTo(runs.get()).isGreaterThan(5);
    assertThat(settings.seed()).isGreaterThan(SHOP.seed());
    assertThat(settings.rows()).isEqualTo(1);
    assertThat(settings.block()).isBetween(143L, 200L); // 20 000 a second, 5 ms, at most 70 %
    assertThat(settings.watermark()).isBetween(5L, 60L);
    assertThat(meanStall(settings)).isBetween(0.3 * 0.001, 1.5 * 0.001);

    long smaller = settings.block() * 8 / 10;
    assertThat(reached(settings.withBuffer(smaller, smaller - 1))).isFalse();
    assertThat(reached(settings.withBuffer(settings.block(), settings.watermark() * 7 / 10)))
        .isFalse();
  }

  private static double meanStall(Scenario settings) {
    return LongStream.rangeClosed(20, 27)
        .mapToObj(settings::withSeed)
        .mapToDouble(each -> new Simulation(each).run().stallProbability())
        .average()
        .orElseThrow();
  }

  private static Scenario withLargest(long maxBlock) {
    return Scenarios.vary(SHOP, SHOP.pattern(), SHOP.choice(), SHOP.lockOrder(), maxBlock, 60)
        .withBuffer(maxBlock, 10);
  }

  @Test
  void whereALargerBlockIsNotAllowedItTakesStripes() {
    Scenario settings = plan(withLargest(40), 64).settings();

    assertThat(settings.block()).isLessThanOrEqualTo(40);
    assertThat(settings.rows()).isBetween(4, 8);
    assertThat(reached(settings.withRows(settings.rows() - 1).withBuffer(40, 39))).isFalse();
  }

  /** The rows are busy for just the part that they may: chance has it that a check fails. */
  @Test
  @Tag("long")
  void whereNothingElseCanBeRaisedItTakesOneStripeMore() {
    Scenario edge = withLargest(100).withRate(0.7 * 2 * 100 / 0.005);
    Set<Integer> rows = new TreeSet<>();
    for (long seed = 1; seed <= 12 && rows.size() < 2; seed++) {
      rows.add(plan(edge.withSeed(seed), 64).settings().rows());
    }
    assertThat(rows).containsExactly(2, 3);
  }

  @Test
  void whatCannotBeReachedHasNoPlan() {
    assertThat(search(withLargest(40), GOAL, 2, Planner.MOST_WORK))
        .isEqualTo(new Search(null, 0, true)); // two rows cannot: no run is needed to see it
    assertThat(search(withLargest(40), new Goal(0.001, 0.1), 24, Planner.MOST_WORK))
        .isEqualTo(new Search(null, 0, true));
    Scenario slow = withLargest(40).withInstances(2).withRate(8_000); // stripes are no help
    Search tried = search(slow, GOAL, 3, Planner.MOST_WORK);
    assertThat(tried.plan()).isNull();
    assertThat(tried.isComplete()).isTrue();
    assertThat(tried.runs()).isPositive();
  }

  @Test
  void settingsThatCannotKeepUpReachNoGoal() {
    Goal any = new Goal(1, 1);
    Scenario rowTooBusy = withLargest(50).withRate(50 / 0.005 + 1);
    Scenario instanceTooBusy =
        Scenarios.of(1, 1_100, Delay.constant(0), Delay.constant(10 * MILLISECOND), 10, 9);
    for (Scenario each : List.of(rowTooBusy, instanceTooBusy)) {
      Scenario scenario = Scenarios.lasting(each, 10);
      Outcome outcome = new Simulation(scenario).run();
      assertThat(outcome.utilisation()).isLessThanOrEqualTo(1);
      assertThat(outcome.end()).isEqualTo(Outcome.End.COMPLETE);
      assertThat(any.isReached(scenario, outcome)).isFalse();
      Scenario slower = scenario.withRate(0.9 * scenario.rate());
      assertThat(any.isReached(slower, new Simulation(slower).run())).isTrue();
    }
  }

  @Test
  void aSearchBeginsWarmHoweverTheScenarioDoes() {
    Scenario cold = SHOP.withStart(Scenario.Start.cold);
    assertThat(plan(cold, 64)).isEqualTo(plan(SHOP, 64));
  }

  @Test
  void aSearchThatWouldTakeLongSimulatesAShorterTime() {
    Scenario quick =
        Scenarios.lasting(
            Scenarios.warm(
                Scenarios.of(
                    2_000,
                    1_000_000,
                    Delay.constant(MILLISECOND / 100),
                    Delay.constant(MILLISECOND),
                    100,
                    20)),
            36_000);
    Plan plan = requireNonNull(search(quick, GOAL, 8, 1e6).plan());
    assertThat(plan.settings().duration()).isLessThan(quick.duration() / 10);
    assertThat(Work.of(plan.settings())).isLessThanOrEqualTo(1.01e6);
    assertThat(plan.check().steps()).isLessThan(5_000_000);
  }

  @Test
  void aSearchThatTakesTooManyStepsIsGivenUp() {
    Search search = search(SHOP, GOAL, 64, 100);
    assertThat(search.plan()).isNull();
    assertThat(search.isComplete()).isFalse();
    assertThat(search.runs()).isBetween(1, 100);
  }

  /** In a second a thousand instances do not yet make as many reservations as they will. */
  @Test
  void rowsAreNotTakenToBeLessBusyThanTheyWillBe() {
    Scenario brief =
        Scenarios.vary(
            Scenarios.warm(
                Scenarios.of(
                    1_000,
                    1_000_000,
                    Delay.constant(5 * MILLISECOND),
                    Delay.constant(MILLISECOND),
                    100,
                    25)),
            Scenario.Pattern.poisson,
            Scenario.RowChoice.two,
            Scenario.LockOrder.fifo,
            100,
            1);
    assertThat(plan(brief, 100).settings().rows()).isGreaterThanOrEqualTo(72); // 50 / 0.7
  }

  private static boolean reached(Scenario scenario) {
    return GOAL.isReached(scenario, new Simulation(scenario).run());
  }
}
