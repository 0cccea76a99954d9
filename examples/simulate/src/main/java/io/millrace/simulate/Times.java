package io.millrace.simulate;

import org.HdrHistogram.Histogram;

/** How long many things took, in milliseconds; all 0 if there were none. */
record Times(double mean, double p50, double p90, double p99, double p999, double max) {

  static Times of(Histogram nanos) {
    return nanos.getTotalCount() == 0
        ? new Times(0, 0, 0, 0, 0, 0)
        : new Times(
            nanos.getMean() / 1e6,
            percentile(nanos, 50),
            percentile(nanos, 90),
            percentile(nanos, 99),
            percentile(nanos, 99.9),
            nanos.getMaxValue() / 1e6);
  }

  private static double percentile(Histogram nanos, double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e6;
  }
}
