package io.millrace.simulate;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/** How each instance chooses the row of its next reservation, knowing only its own past ones. */
interface RowChooser {

  int choose(int instance);

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
    public int choose(int instance) {
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
    public int choose(int instance) {
      int row = next[instance];
      next[instance] = (row + 1) % rows;
      return row;
    }

    @Override
    public void took(int instance, int row, long nanos, long now) {}
  }

  /**
   * Of two rows at random the one where reservations took less time. A row's cost is a moving
   * average that halves with every second in which nothing is measured, so that a row left alone
   * for its cost is tried again; one not tried yet costs nothing.
   */
  final class BetterOfTwo implements RowChooser {

    /** How much of the average the latest time makes up. */
    private static final double WEIGHT = 0.3;

    private static final double LN2 = Math.log(2);

    private final UniformRandomProvider random;
    private final int rows;

    /**
     * For each instance, what each row costs: the base-2 logarithm of what it would have cost at
     * the time 0. As all halve alike, that compares them at any time.
     */
    private final double[] costs;

    BetterOfTwo(UniformRandomProvider random, int instances, int rows) {
      this.random = random;
      this.rows = rows;
      this.costs = new double[instances * rows];
      Arrays.fill(costs, Double.NEGATIVE_INFINITY);
    }

    @Override
    public int choose(int instance) {
      int one = random.nextInt(rows);
      int other = (one + 1 + random.nextInt(rows - 1)) % rows;
      int base = instance * rows;
      return costs[base + other] < costs[base + one] ? other : one;
    }

    @Override
    public void took(int instance, int row, long nanos, long now) {
      int at = instance * rows + row;
      double halvings = now / 1e9;
      double before = Math.exp((costs[at] - halvings) * LN2);
      double cost = before == 0 ? nanos : before + WEIGHT * (nanos - before);
      costs[at] = Math.log(cost) / LN2 + halvings;
    }
  }
}
