package io.millrace.simulate;

import org.HdrHistogram.Histogram;

/** What a simulation counts. */
final class Tally {

  private final Histogram added = new Histogram(3);
  private final Histogram waits = new Histogram(3);
  private final Histogram reservations = new Histogram(3);

  private long asked;
  private long issued;
  private long waited;
  private long longestLine;
  private double atRiskNanos;

  /** Values were asked for and buffered. */
  void atOnce(long values) {
    if (values > 0) {
      asked += values;
      issued += values;
      added.recordValueWithCount(0, values);
    }
  }

  /** Values were asked for and none was buffered. */
  void stalled(long values, long line) {
    asked += values;
    waited += values;
    longestLine = Math.max(longestLine, line);
  }

  /** A value was issued to one that had waited. */
  void issuedAfter(long nanos) {
    issued++;
    added.recordValue(nanos);
    waits.recordValue(nanos);
  }

  void reservation(long nanos) {
    reservations.recordValue(nanos);
  }

  /** So many values were reserved and not issued for so long. */
  void atRisk(double values, double nanos) {
    atRiskNanos += values * nanos;
  }

  long issued() {
    return issued;
  }

  long waited() {
    return waited;
  }

  Outcome outcome(Outcome.End end, Scenario scenario, long nanos, Row[] rows, long bufferedAtEnd) {
    double seconds = nanos / 1e9;
    double held = 0;
    double present = 0;
    for (Row row : rows) {
      row.count(nanos);
      held += row.heldNanos();
      present += row.presentNanos();
    }
    return new Outcome(
        end,
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
        atRiskNanos / nanos / scenario.instances());
  }
}
