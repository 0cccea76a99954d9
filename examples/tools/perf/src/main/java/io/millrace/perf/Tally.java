package io.millrace.perf;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The values, times and errors of a run's clients. Errors are counted separately: they are not
 * values and have no latency. After {@link #stop} nothing is added. Thread-safe.
 */
final class Tally {

  static final int DIGITS = 3;
  static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final long IDLE = -1;

  private final Histogram iteration = histogram();
  private final Histogram taking = histogram();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final Histogram first = histogram();
  private final boolean[] hasTaken;
  private final long[] values;

  /** When a client began its iteration, in nanoseconds from {@link #epoch}, or {@link #IDLE}. */
  private final long[] began;

  private final long epoch = System.nanoTime();
  private final int iterations;
  private int claimed;
  private int taken;
  private int failed;
  private long longestWait;
  private boolean stopped;
  private long stoppedAt;

  Tally(int iterations, int clients) {
    this.iterations = iterations;
    this.values = new long[iterations];
    this.began = new long[clients];
    this.hasTaken = new boolean[clients];
    Arrays.fill(began, IDLE);
  }

  /** A histogram of nanoseconds that are {@link #inRange}. */
  static Histogram histogram() {
    return new Histogram(LONGEST, DIGITS);
  }

  /** Limits a time to the range of a histogram: from zero to an hour. */
  static long inRange(long nanos) {
    return Math.min(Math.max(0, nanos), LONGEST);
  }

  /** From now on no client begins an iteration; iterations that have begun still count. */
  synchronized void stopNewIterations() {
    claimed = iterations;
  }

  /** A client begins up to {@code wanted} of the remaining iterations; 0 if none is left. */
  synchronized int begin(int client, int wanted) {
    int count = stopped ? 0 : Math.min(wanted, iterations - claimed);
    claimed += count;
    began[client] = count == 0 ? IDLE : System.nanoTime() - epoch;
    return count;
  }

  /** Counts values that a client took, after it has spent the application's time. */
  synchronized void took(int client, TakenValues what) {
    if (stopped) {
      return;
    }
    long whole = System.nanoTime() - epoch - began[client];
    began[client] = IDLE;
    for (long value : what.values()) {
      iteration.recordValue(inRange(whole));
      taking.recordValue(inRange(what.nanos()));
      values[taken++] = value;
    }
    if (!hasTaken[client]) {
      hasTaken[client] = true;
      first.recordValue(inRange(what.nanos()));
    }
    longestWait = Math.max(longestWait, what.reservations());
  }

  /** Counts an error that a client received instead of {@code count} values. */
  synchronized void failed(int client, int count, Throwable error) {
    if (stopped) {
      return;
    }
    began[client] = IDLE;
    failed += count;
    errors.merge(error.getClass().getSimpleName(), count, Integer::sum);
  }

  /** The number of iterations that ended, with values or with errors. */
  synchronized int done() {
    return taken + failed;
  }

  /** Ends the run. Clients that are in an iteration count as unfinished. */
  synchronized void stop() {
    if (!stopped) {
      stopped = true;
      stoppedAt = System.nanoTime() - epoch;
    }
  }

  synchronized int taken() {
    return taken;
  }

  synchronized int failed() {
    return failed;
  }

  synchronized Map<String, Integer> errors() {
    return new TreeMap<>(errors);
  }

  /** The number of values that came twice; 0 if the generator is correct. */
  synchronized int duplicates() {
    return taken - (int) Arrays.stream(values, 0, taken).distinct().count();
  }

  /** The time from the request of a value to the end of the application's time, in nanoseconds. */
  synchronized Histogram iteration() {
    return iteration.copy();
  }

  /** The part of it until the value was there, in nanoseconds. */
  synchronized Histogram taking() {
    return taking.copy();
  }

  /** The same for the first values of each client, in nanoseconds. */
  synchronized Histogram first() {
    return first.copy();
  }

  /** The largest number of reservations that a client had to wait for. */
  synchronized long longestWait() {
    return longestWait;
  }

  /** The number of clients that were in an iteration when the run was stopped. */
  synchronized int unfinished() {
    return (int) Arrays.stream(began).filter(since -> since != IDLE).count();
  }

  /** The longest time that one of them had been in it, in milliseconds; 0 if there is none. */
  synchronized double longestUnfinishedMillis() {
    return Arrays.stream(began)
            .filter(since -> since != IDLE)
            .map(since -> stoppedAt - since)
            .max()
            .orElse(0)
        / 1e6;
  }
}
