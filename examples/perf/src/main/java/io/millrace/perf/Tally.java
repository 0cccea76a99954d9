package io.millrace.perf;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What the clients of a run have seen. Errors are counted apart: they are no values and have no
 * latency. After {@link #stop} nothing is added any more. Safe for use by many threads.
 */
final class Tally {

  static final int DIGITS = 3;
  static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final long IDLE = -1;

  private final Histogram iteration = histogram();
  private final Histogram taking = histogram();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final long[] values;

  /** When a client began what it is at, in nanoseconds from {@link #epoch}, or {@link #IDLE}. */
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
    Arrays.fill(began, IDLE);
  }

  /** For times in nanoseconds, {@link #inRange}. */
  static Histogram histogram() {
    return new Histogram(LONGEST, DIGITS);
  }

  /** What a histogram holds: nothing below zero, an hour at the most. */
  static long inRange(long nanos) {
    return Math.min(Math.max(0, nanos), LONGEST);
  }

  /** From now on no client begins anything; what was begun is still counted. */
  synchronized void beginNoMore() {
    claimed = iterations;
  }

  /** A client takes on so many of the iterations left, and begins them; 0 if none is left. */
  synchronized int begin(int client, int wanted) {
    int count = stopped ? 0 : Math.min(wanted, iterations - claimed);
    claimed += count;
    began[client] = count == 0 ? IDLE : System.nanoTime() - epoch;
    return count;
  }

  /** The client has what it asked for, and has spent the application's time. */
  synchronized void took(int client, Taken what) {
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
    longestWait = Math.max(longestWait, what.reservations());
  }

  /** The client was told of an error instead of being given so many values. */
  synchronized void failed(int client, int count, Throwable error) {
    if (stopped) {
      return;
    }
    began[client] = IDLE;
    failed += count;
    errors.merge(error.getClass().getSimpleName(), count, Integer::sum);
  }

  /** How many iterations are over, with values or with errors. */
  synchronized int done() {
    return taken + failed;
  }

  /** Ends the run; clients still at something are left out, and counted as unfinished. */
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

  /** How many values came twice: none, if the generator keeps its promise. */
  synchronized int duplicates() {
    return taken - (int) Arrays.stream(values, 0, taken).distinct().count();
  }

  /** Time from asking for a value until the application was through with it, in nanoseconds. */
  synchronized Histogram iteration() {
    return iteration.copy();
  }

  /** The part of it before the value was there, in nanoseconds. */
  synchronized Histogram taking() {
    return taking.copy();
  }

  /** The largest number of reservations that a client had to wait for. */
  synchronized long longestWait() {
    return longestWait;
  }

  /** How many clients were at something when the run was stopped. */
  synchronized int unfinished() {
    return (int) Arrays.stream(began).filter(since -> since != IDLE).count();
  }

  /** How long the first of them had been at it by then, in milliseconds; 0 if there is none. */
  synchronized double longestUnfinishedMillis() {
    return Arrays.stream(began)
            .filter(since -> since != IDLE)
            .map(since -> stoppedAt - since)
            .max()
            .orElse(0)
        / 1e6;
  }
}
