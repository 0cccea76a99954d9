package io.millrace.simulate;

import java.util.OptionalLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches the smallest settings that reach a goal, by simulation: first the fewest rows, with
 * these the smallest batch, with this the smallest watermark.
 *
 * <p>More of any of the three never hurts the goal, so that each is found by bisection: with more
 * rows or larger batches a lock is held less often, and the higher the watermark, the earlier a
 * reservation starts. Chance may hide that where two runs differ little; hence the settings found
 * are run once more with another seed, and raised until they reach the goal there too.
 */
final class Planner {

  /**
   * What is to be reached.
   *
   * @param stallProbability the part of the values that may wait
   * @param utilisation the part of the time in which a row's lock may be held
   */
  record Goal(double stallProbability, double utilisation) {

    boolean isReached(Outcome outcome) {
      return outcome.end() == Outcome.End.COMPLETE
          && outcome.stallProbability() <= stallProbability
          && outcome.utilisation() <= utilisation;
    }
  }

  /**
   * What was found.
   *
   * @param settings the scenario with the settings found, and the seed of the check
   * @param check what they showed with that seed
   * @param runs how many runs it took
   */
  record Plan(Scenario settings, Outcome check, int runs) {}

  private static final int MOST_RAISES = 20;

  /** Steps of one run, for the search to take a minute or two at the most. */
  static final double MOST_WORK = 2e7;

  private final Scenario base;
  private final Goal goal;
  private final int mostRows;
  private final double mostWork;
  private final Runnable afterRun;
  private int runs;

  /**
   * A search.
   *
   * @param mostWork steps of one run; what would take more is simulated for a shorter time
   */
  Planner(Scenario base, Goal goal, int mostRows, double mostWork, Runnable afterRun) {
    this.base = base;
    this.goal = goal;
    this.mostRows = mostRows;
    this.mostWork = mostWork;
    this.afterRun = afterRun;
  }

  /** The plan, or null if the goal is not reached with the most rows and the largest batch. */
  @Nullable Plan search() {
    long largest = base.maxBatch();
    OptionalLong rows =
        smallest(1, mostRows, count -> reaches(with((int) count, largest, largest - 1)));
    if (rows.isEmpty()) {
      return null;
    }
    int rowCount = (int) rows.getAsLong();
    long batch =
        smallest(2, largest, size -> reaches(with(rowCount, size, size - 1))).orElse(largest);
    long watermark =
        smallest(0, batch - 1, level -> reaches(with(rowCount, batch, level))).orElse(batch - 1);
    return checked(rowCount, batch, watermark);
  }

  private @Nullable Plan checked(int rows, long batch, long watermark) {
    long raisedBatch = batch;
    long raisedWatermark = watermark;
    for (int raises = 0; raises <= MOST_RAISES; raises++) {
      Scenario settings = with(rows, raisedBatch, raisedWatermark).withSeed(base.seed() + 1);
      Outcome outcome = run(new Simulation(settings));
      if (goal.isReached(outcome)) {
        return new Plan(settings, outcome, runs);
      }
      raisedBatch = Math.min(base.maxBatch(), raisedBatch + raisedBatch / 20 + 1);
      raisedWatermark = Math.min(raisedBatch - 1, raisedWatermark + raisedWatermark / 20 + 1);
    }
    return null;
  }

  private Scenario with(int rows, long batch, long watermark) {
    return Work.limited(base.withRows(rows).withBuffer(batch, watermark), mostWork);
  }

  private boolean reaches(Scenario scenario) {
    double tolerated = goal.stallProbability() * scenario.rate() * scenario.seconds();
    return goal.isReached(run(new Simulation(scenario, (long) (1.2 * tolerated) + 100)));
  }

  private Outcome run(Simulation simulation) {
    runs++;
    Outcome outcome = simulation.run();
    afterRun.run();
    return outcome;
  }

  /**
   * The smallest number from {@code least} to {@code most} that passes; empty if not even {@code
   * most} does. Tries small ones first, as runs with many rows say no more than those with few.
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
