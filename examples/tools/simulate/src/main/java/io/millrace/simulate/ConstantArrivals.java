package io.millrace.simulate;

import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;

/** Arrivals at equal intervals; each instance has its own start. */
final class ConstantArrivals implements Arrivals {

  /** The time from one arrival to the next at an instance, in nanoseconds. */
  private final double gap;

  /** The time of the first arrival at each instance. */
  private final double[] start;

  /** The number of past arrivals at each instance. */
  private final long[] passed;

  ConstantArrivals(UniformRandomProvider random, int instances, double gap) {
    this.gap = gap;
    this.start = random.doubles(instances).map(part -> part * gap).toArray();
    this.passed = new long[instances];
  }

  private long time(int instance, long index) {
    return (long) Math.ceil(Math.min(start[instance] + index * gap, 1e18));
  }

  /** The number of arrivals from the beginning until a time, inclusive. */
  private long total(int instance, long until) {
    long index = (long) Math.max(0, Math.floor((until - start[instance]) / gap) - 1);
    while (time(instance, index) <= until) {
      index++;
    }
    return index;
  }

  @Override
  public long skip(int instance, long from, long count) {
    passed[instance] += count;
    return time(instance, passed[instance] - 1);
  }

  @Override
  public long count(int instance, long from, long to) {
    long before = passed[instance];
    passed[instance] = Math.max(before, total(instance, to));
    return passed[instance] - before;
  }

  @Override
  public LongSupplier passed(int instance, long from, long to, long count) {
    return new LongSupplier() {
      private long index = passed[instance];

      @Override
      public long getAsLong() {
        return time(instance, --index);
      }
    };
  }

  @Override
  public long countWithin(int instance, long from, long last, long count, long to) {
    return Math.max(0, total(instance, to) - (passed[instance] - count));
  }
}
