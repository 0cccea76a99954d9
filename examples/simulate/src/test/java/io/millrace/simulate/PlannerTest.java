package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulate.Planner.Goal;
import io.millrace.simulate.Planner.Plan;
import java.util.concurrent.atomic.AtomicInteger;
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

  @Test
  void aPlanReachesTheGoalWithAnotherSeedAndMuchLessDoesNot() {
    AtomicInteger runs = new AtomicInteger();
    Plan plan =
        requireNonNull(
            new Planner(SHOP, GOAL, 64, Planner.MOST_WORK, runs::incrementAndGet).search());
    Scenario settings = plan.settings();

    assertThat(plan.runs()).isEqualTo(runs.get()).isGreaterThan(5);
    assertThat(settings.seed()).isNotEqualTo(SHOP.seed());
    assertThat(plan.check()).isEqualTo(new Simulation(settings).run());
    assertThat(GOAL.isReached(plan.check())).isTrue();
    assertThat(settings.rows()).isEqualTo(1);
    assertThat(settings.batch()).isBetween(143L, 200L); // 20 000 a second, 5 ms, at most 70 %
    assertThat(settings.watermark()).isBetween(5L, 60L);

    long smaller = settings.batch() * 8 / 10;
    assertThat(reached(settings.withBuffer(smaller, smaller - 1))).isFalse();
    assertThat(reached(settings.withBuffer(settings.batch(), settings.watermark() * 7 / 10)))
        .isFalse();
  }

  @Test
  void whereALargerBatchIsNotAllowedItTakesStripes() {
    Scenario busy = Scenarios.vary(SHOP, SHOP.pattern(), SHOP.choice(), SHOP.lockOrder(), 40, 60);
    Plan plan =
        requireNonNull(
            new Planner(busy.withBuffer(40, 10), GOAL, 64, Planner.MOST_WORK, () -> {}).search());
    Scenario settings = plan.settings();

    assertThat(GOAL.isReached(plan.check())).isTrue();
    assertThat(settings.batch()).isLessThanOrEqualTo(40);
    assertThat(settings.rows()).isBetween(4, 8);
    assertThat(reached(settings.withRows(settings.rows() - 1).withBuffer(40, 39))).isFalse();
  }

  @Test
  void whatCannotBeReachedHasNoPlan() {
    Scenario busy = Scenarios.vary(SHOP, SHOP.pattern(), SHOP.choice(), SHOP.lockOrder(), 40, 60);
    assertThat(new Planner(busy.withBuffer(40, 10), GOAL, 2, Planner.MOST_WORK, () -> {}).search())
        .isNull();
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
    Plan plan = requireNonNull(new Planner(quick, GOAL, 8, 1e6, () -> {}).search());
    assertThat(plan.settings().duration()).isLessThan(quick.duration() / 10);
    assertThat(Work.of(plan.settings())).isLessThanOrEqualTo(1.01e6);
    assertThat(GOAL.isReached(plan.check())).isTrue();
  }

  private static boolean reached(Scenario scenario) {
    return GOAL.isReached(new Simulation(scenario).run());
  }
}
