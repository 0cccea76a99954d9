package io.millrace.simulate;

import org.apache.commons.rng.UniformRandomProvider;

/** How each instance chooses the row of its next reservation, knowing only its own past ones. */
interface RowChooser {

  int choose(int instance);

  /** A reservation took so long, in nanoseconds. */
  void took(int instance, int row, long nanos);

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
    public void took(int instance, int row, long nanos) {}
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
    public void took(int instance, int row, long nanos) {}
  }

  /** Of two rows at random the one that was quicker of late; one not tried yet is the quickest. */
  final class BetterOfTwo implements RowChooser {

    /** What the latest time counts, against all before. */
    private static final float WEIGHT = 0.25f;

    private final UniformRandomProvider random;
    private final int rows;

    /** For each instance, the smoothed time of each row. */
    private final float[] times;

    BetterOfTwo(UniformRandomProvider random, int instances, int rows) {
      this.random = random;
      this.rows = rows;
      this.times = new float[instances * rows];
    }

    @Override
    public int choose(int instance) {
      int one = random.nextInt(rows);
      int other = random.nextInt(rows - 1);
      if (other >= one) {
        other++;
      }
      int base = instance * rows;
      return times[base + one] <= times[base + other] ? one : other;
    }

    @Override
    public void took(int instance, int row, long nanos) {
      int at = instance * rows + row;
      times[at] = times[at] == 0 ? nanos : times[at] + WEIGHT * (nanos - times[at]);
    }
  }
}
