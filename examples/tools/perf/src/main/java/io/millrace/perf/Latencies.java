package io.millrace.perf;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Percentiles of a histogram of nanoseconds, exact to 0.1 percent; all 0 if it is empty.
 *
 * @param count the number of recorded times
 * @param p50 the 50 percentile, in nanoseconds
 * @param p75 the 75 percentile, in nanoseconds
 * @param p90 the 90 percentile, in nanoseconds
 * @param p99 the 99 percentile, in nanoseconds
 * @param max the longest, in nanoseconds
 */
record Latencies(long count, long p50, long p75, long p90, long p99, long max) {

  static Latencies of(Histogram nanos) {
    return new Latencies(
        nanos.getTotalCount(),
        nanos.getValueAtPercentile(50),
        nanos.getValueAtPercentile(75),
        nanos.getValueAtPercentile(90),
        nanos.getValueAtPercentile(99),
        nanos.getMaxValue());
  }

  /** Milliseconds with three decimal places; with six for short times. */
  static String millis(long nanos) {
    return String.format(Locale.ROOT, nanos < 10_000 ? "%.6f" : "%.3f", nanos / 1e6);
  }
}
