package io.millrace.perf;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values, times and errors of a run's clients. Errors are not values and have no latency. After
 * {@link #stop} nothing is added. Thread-safe.
 */
final class Tally {

  private static final long IDLE = -1;

  private final Latencies iteration = new Latencies();
  private final Latencies taking = new Latencies();
  private final Latencies first = new Latencies();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final boolean[] hasTaken;
  private final long[] values;

  /** When a client began its iteration, in nanoseconds from {@link #epoch}, or {@link #IDLE}. */
  private final long[] began;

  private final long epoch = System.nanoTime();
  private int left;
  private int taken;
  private boolean stopped;
  private long stoppedAt;

  Tally(int iterations, int clients) {
    this.left = iterations;
    this.values = new long[iterations];
    this.began = new long[clients];
    this.hasTaken = new boolean[clients];
    Arrays.fill(began, IDLE);
  }

  /** From now on no client begins an iteration; iterations that have begun still count. */
  synchronized void stopNewIterations() {
    left = 0;
  }

  /** A client begins up to {@code wanted} of the remaining iterations; 0 if none is left. */
  synchronized int begin(int client, int wanted) {
    int count = stopped ? 0 : Math.min(wanted, left);
    left -= count;
    began[client] = count == 0 ? IDLE : System.nanoTime() - epoch;
    return count;
  }

  /** Counts values that a client took, after it has spent the application's time. */
  synchronized void took(int client, Taking.Taken what) {
    if (stopped) {
      return;
    }
    long whole = System.nanoTime() - epoch - began[client];
    began[client] = IDLE;
    for (long value : what.values()) {
      iteration.record(whole);
      taking.record(what.nanos());
      values[taken++] = value;
    }
    if (!hasTaken[client]) {
      hasTaken[client] = true;
      first.record(what.nanos());
    }
  }

  /** Counts an error that a client received instead of {@code count} values. */
  synchronized void failed(int client, int count, Throwable error) {
    if (!stopped) {
      began[client] = IDLE;
      errors.merge(error.getClass().getSimpleName(), count, Integer::sum);
    }
  }

  /** Ends the run. Clients that are in an iteration count as unfinished. */
  synchronized void stop() {
    stopped = true;
    stoppedAt = System.nanoTime() - epoch;
  }

  synchronized int taken() {
    return taken;
  }

  synchronized Map<String, Integer> errors() {
    return new TreeMap<>(errors);
  }

  /** The number of values that came twice; 0 if the generator is correct. */
  synchronized int duplicates() {
    return taken - (int) Arrays.stream(values, 0, taken).distinct().count();
  }

  /** The time from the request of a value to the end of the application's time. */
  Latencies iteration() {
    return iteration;
  }

  /** The part of it until the value was there. */
  Latencies taking() {
    return taking;
  }

  /** The same for the first values of each client. */
  Latencies first() {
    return first;
  }

  /** The number of clients that were in an iteration when the run was stopped. */
  synchronized int unfinished() {
    return (int) Arrays.stream(began).filter(since -> since != IDLE).count();
  }

  /** The longest time that one of them had been in it, in nanoseconds; 0 if there is none. */
  synchronized long longestUnfinished() {
    return Arrays.stream(began)
        .filter(since -> since != IDLE)
        .map(since -> stoppedAt - since)
        .max()
        .orElse(0);
  }
}
