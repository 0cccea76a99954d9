package io.millrace.engine;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after a failed reservation: from {@code min}, doubled with each failure in a row
 * up to {@code max}, spread by {@code jitter}; and after how many {@code attempts} the waiters
 * receive an error.
 */
public record Backoff(Duration min, Duration max, double jitter, int attempts) {

  /** The delay after a number of failures in a row, in nanoseconds, between min and max. */
  long delayNanos(int failures) {
    double delay = Math.min(max.toNanos(), min.toNanos() * Math.pow(2, failures - 1));
    double spread = jitter * delay * (2 * ThreadLocalRandom.current().nextDouble() - 1);
    return Math.max(min.toNanos(), Math.min(max.toNanos(), (long) (delay + spread)));
  }
}
