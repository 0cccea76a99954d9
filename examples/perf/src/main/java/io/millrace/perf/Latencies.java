package io.millrace.perf;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of a histogram of microseconds, exact to 0.1 percent; all 0 if it is empty.
 *
 * @param count how many times were recorded
 * @param p50 the 50 percentile, in microseconds
 * @param p75 the 75 percentile, in microseconds
 * @param p90 the 90 percentile, in microseconds
 * @param p99 the 99 percentile, in microseconds
 * @param max the longest, in microseconds
 */
record Latencies(long count, long p50, long p75, long p90, long p99, long max) {

  static Latencies of(Histogram micros) {
    return new Latencies(
        micros.getTotalCount(),
        micros.getValueAtPercentile(50),
        micros.getValueAtPercentile(75),
        micros.getValueAtPercentile(90),
        micros.getValueAtPercentile(99),
        micros.getMaxValue());
  }
}
