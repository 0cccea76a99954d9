package io.millrace.simulate;

import org.HdrHistogram.Histogram;

/** The counts of a simulation. */
final class Tally {

  private final Histogram added = new Histogram(3);
  private final Histogram waits = new Histogram(3);
  private final Histogram reservations = new Histogram(3);

  private long asked;
  private long issued;
  private long waited;
  private long longestLine;
  private double atRiskNanos;

  /** Counts values that were requested and buffered. */
  void issuedAtOnce(long values) {
    if (values > 0) {
      asked += values;
      issued += values;
      added.recordValueWithCount(0, values);
    }
  }

  /** Counts values that were requested while none was buffered. */
  void stalled(long values, long line) {
    asked += values;
    waited += values;
    longestLine = Math.max(longestLine, line);
  }

  /** Counts a value that was issued to a waiter after this time. */
  void issuedAfter(long nanos) {
    issued++;
    added.recordValue(nanos);
    waits.recordValue(nanos);
  }

  /** Counts a value that waits at the end, with its wait so far. */
  void stillWaiting(long nanos) {
    stillWaiting(1, nanos);
  }

  /** Counts values that wait at the end and arrived evenly over the time before it. */
  void stillWaitingEvenly(long values, double nanos) {
    long parts = Math.min(values, 100);
    for (long part = 0; part < parts; part++) {
      long count = values * (part + 1) / parts - values * part / parts;
      stillWaiting(count, (long) (nanos * (part + 0.5) / parts));
    }
  }

  private void stillWaiting(long values, long nanos) {
    added.recordValueWithCount(nanos, values);
    waits.recordValueWithCount(nanos, values);
  }

  void reservation(long nanos) {
    reservations.recordValue(nanos);
  }

  /** Counts values that were reserved and not issued during this time. */
  void atRisk(double values, double nanos) {
    atRiskNanos += values * nanos;
  }

  long waited() {
    return waited;
  }

  Outcome outcome(
      Outcome.End end,
      boolean isOverloaded,
      Scenario scenario,
      long nanos,
      CounterRow[] rows,
      long bufferedAtEnd,
      long steps) {
    double seconds = nanos / 1e9;
    double held = 0;
    double present = 0;
    for (CounterRow row : rows) {
      row.count(nanos);
      held += row.heldNanos();
      present += row.presentNanos();
    }
    return new Outcome(
        end,
        isOverloaded,
        seconds,
        asked,
        issued,
        issued / seconds,
        waited,
        asked == 0 ? 0 : (double) waited / asked,
        Times.of(added),
        Times.of(waits),
        longestLine,
        reservations.getTotalCount(),
        reservations.getTotalCount() / seconds,
        Times.of(reservations),
        held / nanos / rows.length,
        present / nanos,
        bufferedAtEnd,
        atRiskNanos / nanos / scenario.instances(),
        steps);
  }
}
