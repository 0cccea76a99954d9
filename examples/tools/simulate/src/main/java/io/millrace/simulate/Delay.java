package io.millrace.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.internal.ShownText;
import io.millrace.tools.Durations;
import java.util.function.LongSupplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.LogNormalSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A random or constant delay.
 *
 * @param shape the distribution
 * @param mean nanoseconds, 0 or more
 * @param p99 the 99th percentile in nanoseconds, for {@link Shape#LOGNORMAL} only
 */
record Delay(
    Shape shape, @JsonProperty("meanNanos") long mean, @JsonProperty("p99Nanos") long p99) {

  enum Shape {
    CONSTANT,
    EXPONENTIAL,
    LOGNORMAL
  }

  static final String SYNTAX = "5ms, exp:5ms, or lognormal:5ms,20ms (mean, 99th percentile)";

  /** The 99th percentile of the standard normal distribution. */
  private static final double Z99 = 2.3263478740408408;

  /** Above this ratio, the mean and the 99th percentile do not determine a distribution. */
  private static final double LARGEST_P99_TO_MEAN = 14.9;

  static Delay constant(long mean) {
    return new Delay(Shape.CONSTANT, mean, 0);
  }

  static Delay exponential(long mean) {
    return new Delay(Shape.EXPONENTIAL, mean, 0);
  }

  static Delay lognormal(long mean, long p99) {
    if (p99 <= mean || p99 > LARGEST_P99_TO_MEAN * mean) {
      throw new IllegalArgumentException(
          "the 99th percentile must be above the mean and at most "
              + LARGEST_P99_TO_MEAN
              + " times as long, was "
              + Durations.text(p99)
              + " with a mean of "
              + Durations.text(mean));
    }
    return new Delay(Shape.LOGNORMAL, mean, p99);
  }

  static Delay parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return constant(Durations.parse(text));
    }
    String[] parts = text.substring(colon + 1).split(",", -1);
    String shape = text.substring(0, colon);
    if (shape.equals("exp") && parts.length == 1) {
      return exponential(Durations.parse(parts[0]));
    }
    if (shape.equals("lognormal") && parts.length == 2) {
      return lognormal(Durations.parse(parts[0]), Durations.parse(parts[1]));
    }
    throw new IllegalArgumentException("must be like " + SYNTAX + ", was " + ShownText.quote(text));
  }

  /** Draws delays, in nanoseconds. */
  LongSupplier sampler(UniformRandomProvider random) {
    if (shape == Shape.CONSTANT || mean == 0) {
      return () -> mean;
    }
    ContinuousSampler sampler =
        shape == Shape.EXPONENTIAL
            ? ZigguratSampler.Exponential.of(random, mean)
            : LogNormalSampler.of(
                ZigguratSampler.NormalizedGaussian.of(random),
                StrictMath.log(mean) - sigma() * sigma() / 2,
                sigma());
    return () -> Math.round(sampler.sample());
  }

  /** Solves p99 / mean = exp(Z99 sigma - sigma^2 / 2) for sigma. */
  private double sigma() {
    return Z99 - Math.sqrt(Z99 * Z99 - 2 * StrictMath.log((double) p99 / mean));
  }

  @Override
  public String toString() {
    return switch (shape) {
      case CONSTANT -> Durations.text(mean);
      case EXPONENTIAL -> "exp:" + Durations.text(mean);
      case LOGNORMAL -> "lognormal:" + Durations.text(mean) + "," + Durations.text(p99);
    };
  }
}
