package io.millrace.simulate;

import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Arrivals at random, equally often at each instance. They have no memory, so that many are drawn
 * at once: the time of the n-th has a gamma distribution, the number in a time a Poisson
 * distribution, and where the number is known each is equally likely to be anywhere.
 */
final class PoissonArrivals implements Arrivals {

  /** Beyond this the deviation from the mean is below 1 in 10,000. */
  private static final double MOST_EXACT = 1e9;

  private final UniformRandomProvider random;
  private final ContinuousSampler exponential;

  /** The mean time from one to the next at an instance, in nanoseconds. */
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

  /** The largest of n is a power of 1/n of a uniform deviate; below it are n - 1 uniform ones. */
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

  /** The mean: a run has one such number for each instance, and shows their sum. */
  @Override
  public long countWithin(int instance, long from, long last, long count, long to) {
    return Math.round((count - 1) * ((double) (to - from) / (last - from)));
  }
}
