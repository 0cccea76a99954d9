package io.millrace.simulate;

import org.apache.commons.rng.UniformRandomProvider;

/** How each instance chooses the row of its next reservation, knowing only its own past ones. */
interface RowChooser {

  /** The row of a reservation that starts now, in nanoseconds. */
  int choose(int instance, long now);

  /** A reservation took so long, and ended now; both in nanoseconds. */
  void took(int instance, int row, long nanos, long now);

  static RowChooser of(Scenario scenario, UniformRandomProvider random) {
    if (scenario.rows() == 1) {
      return new Only();
    }
    return switch (scenario.choice()) {
      case two -> new BetterOfTwo(random, scenario.instances(), scenario.rows());
      case roundrobin -> new RoundRobin(random, scenario.instances(), scenario.rows());
    };
  }

  /** The one row there is. */
  final class Only implements RowChooser {

    @Override
    public int choose(int instance, long now) {
      return 0;
    }

    @Override
    public void took(int instance, int row, long nanos, long now) {}
  }

  /** All rows in turn, from a random one on. */
  final class RoundRobin implements RowChooser {

    private final int rows;
    private final int[] next;

    RoundRobin(UniformRandomProvider random, int instances, int rows) {
      this.rows = rows;
      this.next = random.ints(instances, 0, rows).toArray();
    }

    @Override
    public int choose(int instance, long now) {
      int row = next[instance];
      next[instance] = (row + 1) % rows;
      return row;
    }

    @Override
    public void took(int instance, int row, long nanos, long now) {}
  }

  /**
   * Of two rows at random rather the one where reservations took less time, by the engine's
   * formula: a row's cost is a moving average, of which less and less is left while nothing is
   * measured, and the chances are as the inverse squares of the costs.
   */
  final class BetterOfTwo implements RowChooser {

    private static final double HALF_LIFE = 1e9;
    private static final double NEGLIGIBLE = 1e6;

    /** How much of the average a measurement makes up. */
    private static final double WEIGHT = 0.3;

    private static final int CHANCES = 1 << 20;

    private final UniformRandomProvider random;
    private final int rows;

    /** For each instance and row, in nanoseconds; an instance has some from its first on. */
    private final long[][] costs;

    private final long[][] measuredAt;

    BetterOfTwo(UniformRandomProvider random, int instances, int rows) {
      this.random = random;
      this.rows = rows;
      this.costs = new long[instances][];
      this.measuredAt = new long[instances][];
    }

    @Override
    public int choose(int instance, long now) {
      int one = random.nextInt(rows);
      int other = (one + 1 + random.nextInt(rows - 1)) % rows;
      double load = load(instance, one, now);
      double otherLoad = load(instance, other, now);
      double sum = load * load + otherLoad * otherLoad;
      return random.nextInt(CHANCES) * sum < CHANCES * load * load ? other : one;
    }

    private double load(int instance, int row, long now) {
      return costs[instance] == null
          ? NEGLIGIBLE
          : NEGLIGIBLE + costs[instance][row] * faded(instance, row, now);
    }

    /** What is left of a measurement, from 1 down to 0. */
    private double faded(int instance, int row, long now) {
      return StrictMath.pow(0.5, (now - measuredAt[instance][row]) / HALF_LIFE);
    }

    /** The weight of what was measured before fades, not its value. */
    @Override
    public void took(int instance, int row, long nanos, long now) {
      if (costs[instance] == null) {
        costs[instance] = new long[rows];
        measuredAt[instance] = new long[rows];
      }
      double before = costs[instance][row];
      double weight = before == 0 ? 1 : 1 - (1 - WEIGHT) * faded(instance, row, now);
      costs[instance][row] = (long) (before + weight * (nanos - before));
      measuredAt[instance][row] = now;
    }
  }
}
