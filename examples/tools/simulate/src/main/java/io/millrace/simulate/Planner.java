package io.millrace.simulate;

import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches approximately the smallest settings that reach a goal, by simulation from a warm start.
 * It first finds the fewest rows, with these the smallest block, and then the smallest watermark.
 *
 * <p>Each setting is found by bisection, which assumes that a larger setting is never worse. This
 * is mostly true: with more rows or larger blocks a lock is held less often, and with a higher
 * watermark a reservation starts earlier. But by chance, or if instances start their reservations
 * together, a larger setting may be worse. The setting found is then not the smallest, but it still
 * reaches the goal: the settings are run again with another seed, and raised until they reach it.
 */
final class Planner {

  /**
   * The settings found.
   *
   * @param settings the scenario with the settings found, and the seed and duration of the check
   * @param check the result of the check
   */
  record Plan(Scenario settings, Outcome check) {}

  /**
   * How a search ended.
   *
   * @param plan the settings; null if none were found
   * @param runs the number of simulation runs
   * @param isComplete false if the search was given up because it took too many steps
   */
  record Search(@Nullable Plan plan, int runs, boolean isComplete) {}

  private static final int MOST_RAISES = 20;

  /** The most steps that one run of a search should take. */
  static final double MOST_WORK = 2e7;

  private final Scenario base;
  private final Goal goal;
  private final int mostRows;
  private final SearchTime time;
  private final Runnable afterRun;

  /** The steps that are left for the search. */
  private double budget;

  private int runs;

  /**
   * Creates a search.
   *
   * @param mostWork the most steps that one run should take; all runs together take at most about
   *     thirty times as many
   */
  Planner(Scenario base, Goal goal, int mostRows, double mostWork, Runnable afterRun) {
    this.base = base.withStart(Scenario.Start.warm);
    this.goal = goal;
    this.mostRows = mostRows;
    this.time = new SearchTime(goal, mostWork);
    this.afterRun = afterRun;
    this.budget = 30 * mostWork;
  }

  Search search() {
    long largest = base.maxBlock();
    OptionalLong fewest =
        smallest(1, mostRows, rows -> reaches(with((int) rows, largest, largest - 1)));
    Plan plan = null;
    if (fewest.isPresent()) {
      for (int rows = (int) fewest.getAsLong(); plan == null && rows <= mostRows; rows++) {
        plan = withRows(rows);
      }
    }
    return new Search(plan, runs, plan != null || budget > 0);
  }

  private @Nullable Plan withRows(int rows) {
    OptionalLong block = smallest(2, base.maxBlock(), size -> reaches(with(rows, size, size - 1)));
    if (block.isEmpty()) {
      return null;
    }
    long size = block.getAsLong();
    OptionalLong watermark = smallest(0, size - 1, level -> reaches(with(rows, size, level)));
    return watermark.isEmpty() ? null : checked(rows, size, watermark.getAsLong());
  }

  private @Nullable Plan checked(int rows, long block, long watermark) {
    long raisedBlock = block;
    long raisedWatermark = watermark;
    for (int raises = 0; raises <= MOST_RAISES; raises++) {
      Scenario settings =
          with(rows, raisedBlock, raisedWatermark).withSeed(base.seed() + 1 + raises);
      Outcome outcome = run(settings, Long.MAX_VALUE);
      if (goal.isReached(settings, outcome)) {
        return new Plan(settings, outcome);
      }
      boolean isTooBusy = outcome.utilisation() > goal.utilisation();
      if (raisedBlock == base.maxBlock() && (isTooBusy || raisedWatermark == raisedBlock - 1)) {
        return null;
      }
      raisedBlock = Math.min(base.maxBlock(), raisedBlock + raisedBlock / 20 + 1);
      raisedWatermark = Math.min(raisedBlock - 1, raisedWatermark + raisedWatermark / 20 + 1);
    }
    return null;
  }

  private Scenario with(int rows, long block, long watermark) {
    return time.of(base.withRows(rows).withBuffer(block, watermark));
  }

  private boolean reaches(Scenario scenario) {
    return goal.isPossible(scenario)
        && budget > 0
        && goal.isReached(scenario, run(scenario, (long) (1.2 * goal.tolerated(scenario)) + 100));
  }

  private Outcome run(Scenario scenario, long mostStalled) {
    runs++;
    Outcome outcome = new Simulation(scenario, mostStalled, budget).run();
    budget -= outcome.steps();
    afterRun.run();
    return outcome;
  }

  /**
   * The smallest number from {@code least} to {@code most} that passes; empty if even {@code most}
   * does not. Tries small numbers first, because runs with many rows show no more than runs with
   * few.
   */
  private static OptionalLong smallest(long least, long most, LongPredicate passes) {
    long failed = least - 1;
    long step = 1;
    long passed = least;
    while (!passes.test(passed)) {
      if (passed == most) {
        return OptionalLong.empty();
      }
      failed = passed;
      passed = Math.min(most, passed + step);
      step *= 2;
    }
    while (passed - failed > 1) {
      long middle = failed + (passed - failed) / 2;
      if (passes.test(middle)) {
        passed = middle;
      } else {
        failed = middle;
      }
    }
    return OptionalLong.of(passed);
  }
}
