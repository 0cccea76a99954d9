package io.millrace.simulate;

import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Random arrivals, with the same rate at each instance. The process has no memory, so many arrivals
 * are drawn at once. The time of the n-th has a gamma distribution, and the number in an interval a
 * Poisson distribution. If the number is known, each arrival is uniform over the interval.
 */
final class PoissonArrivals implements Arrivals {

  /** Above this, the deviation from the mean is below 1 in 10,000. */
  private static final double MOST_EXACT = 1e9;

  private final UniformRandomProvider random;
  private final ContinuousSampler exponential;

  /** The mean time from one arrival to the next at an instance, in nanoseconds. */
  private final double gap;

  PoissonArrivals(UniformRandomProvider random, double gap) {
    this.random = random;
    this.exponential = ZigguratSampler.Exponential.of(random);
    this.gap = gap;
  }

  @Override
  public long skip(int instance, long from, long count) {
    double gaps =
        count == 1
            ? exponential.sample()
            : AhrensDieterMarsagliaTsangGammaSampler.of(random, count, 1).sample();
    return from + (long) Math.ceil(Math.min(gaps * gap, 1e18));
  }

  @Override
  public long count(int instance, long from, long to) {
    double mean = (to - from) / gap;
    if (mean > MOST_EXACT) {
      return Math.round(mean);
    }
    return mean <= 0 ? 0 : PoissonSampler.of(random, mean).sample();
  }

  /** The largest of n uniform numbers is one to the power of 1/n; n - 1 are uniform below it. */
  @Override
  public LongSupplier passed(int instance, long from, long to, long count) {
    return new LongSupplier() {
      private long left = count;
      private double logarithm;

      @Override
      public long getAsLong() {
        logarithm -= exponential.sample() / left--;
        return from + (long) Math.ceil((to - from) * StrictMath.exp(logarithm));
      }
    };
  }

  /** The mean, which is enough: a run uses one such number for each instance, and their sum. */
  @Override
  public long countWithin(int instance, long from, long last, long count, long to) {
    return Math.round((count - 1) * ((double) (to - from) / (last - from)));
  }
}
