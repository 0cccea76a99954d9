package io.millrace.simulate;

import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Arrivals at times written down before, one by one. */
final class TraceArrivals implements Arrivals {

  /** For each instance, rising. */
  private final long[][] times;

  private final int[] next;

  TraceArrivals(long[][] times) {
    this.times = times;
    this.next = new int[times.length];
  }

  /** Requests at random for each instance, each drawn by itself. */
  static long[][] random(Scenario scenario, RandomGenerator random) {
    long[][] times = new long[scenario.instances()][];
    Arrays.setAll(
        times,
        instance -> {
          LongStream.Builder trace = LongStream.builder();
          long time = 0;
          while (time <= scenario.duration()) {
            time += 1 + (long) (random.nextExponential() * scenario.gap());
            trace.add(time);
          }
          return trace.build().toArray();
        });
    return times;
  }

  @Override
  public long skip(int instance, long from, long count) {
    int at = (int) Math.min(Integer.MAX_VALUE - 1, next[instance] + count);
    next[instance] = at;
    return at > times[instance].length ? Long.MAX_VALUE / 2 : times[instance][at - 1];
  }

  @Override
  public long count(int instance, long from, long to) {
    int before = next[instance];
    while (next[instance] < times[instance].length && times[instance][next[instance]] <= to) {
      next[instance]++;
    }
    return next[instance] - before;
  }

  @Override
  public LongSupplier passed(int instance, long from, long to, long count) {
    return new LongSupplier() {
      private int at = next[instance];

      @Override
      public long getAsLong() {
        return times[instance][--at];
      }
    };
  }

  @Override
  public long countWithin(int instance, long from, long last, long count, long to) {
    int at = (int) (next[instance] - count);
    int within = 0;
    while (at + within < times[instance].length && times[instance][at + within] <= to) {
      within++;
    }
    return within;
  }
}
