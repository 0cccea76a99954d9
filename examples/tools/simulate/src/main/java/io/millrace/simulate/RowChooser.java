package io.millrace.simulate;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * Chooses the row of an instance's next reservation, from that instance's own past reservations.
 */
interface RowChooser {

  /** The row of a reservation that starts now, in nanoseconds. */
  int choose(int instance, long now);

  /** Records how long a reservation took that ended now; both in nanoseconds. */
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

  /** For a single row. */
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
   * Picks two rows at random, and prefers the one with faster reservations, by the engine's
   * formula. The cost of a row is a moving average that decays while nothing is measured. The
   * probability of a row is proportional to the inverse square of its cost.
   */
  final class BetterOfTwo implements RowChooser {

    private static final double HALF_LIFE = 1e9;
    private static final double NEGLIGIBLE = 1e6;

    /** The weight of a new measurement in the average. */
    private static final double WEIGHT = 0.3;

    private static final int CHANCES = 1 << 20;

    private final UniformRandomProvider random;
    private final int rows;

    /** For each instance and row, in nanoseconds; null before an instance's first measurement. */
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

    /** The remaining weight of a measurement, from 1 down to 0. */
    private double faded(int instance, int row, long now) {
      return StrictMath.pow(0.5, (now - measuredAt[instance][row]) / HALF_LIFE);
    }

    /** Here the weight of earlier measurements decays, not their value. */
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
