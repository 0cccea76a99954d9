package io.millrace.perf;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** Times in nanoseconds, exact to 0.1 percent, up to an hour. Thread-safe. */
final class Latencies {

  private static final long LONGEST = TimeUnit.HOURS.toNanos(1);

  private final ConcurrentHistogram nanos = new ConcurrentHistogram(LONGEST, 3);

  void record(long time) {
    nanos.recordValue(Math.min(Math.max(0, time), LONGEST));
  }

  long count() {
    return nanos.getTotalCount();
  }

  /** A percentile in nanoseconds; 0 if there is no time. */
  long percentile(double percent) {
    return nanos.getValueAtPercentile(percent);
  }

  long longest() {
    return nanos.getMaxValue();
  }

  /** A percentile in milliseconds, with more digits for short times. */
  String millis(double percent) {
    return text(percentile(percent));
  }

  /** Milliseconds with three decimal places; with six for short times. */
  static String text(long nanos) {
    return String.format(Locale.ROOT, nanos < 10_000 ? "%.6f" : "%.3f", nanos / 1e6);
  }
}
