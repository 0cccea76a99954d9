package io.millrace.perf;

import io.millrace.tools.TextTable;
import java.util.List;
import java.util.Locale;

/** Runs as a table, each compared with the run of its limit or peer. */
final class Table {

  private static final List<String> HEAD =
      List.of(
          "mode",
          "clients",
          "values/s",
          "compared",
          "50/90/99 %ile ms",
          "taking it, 50/99 %ile ms",
          "the first, 50/99 %ile ms",
          "requests a value",
          "aborted",
          "errors",
          "iterations",
          "unfinished, oldest ms");

  private final TextTable table;

  Table(List<Figures> runs) {
    this.table = new TextTable(HEAD, 1, runs.stream().map(run -> row(run, runs)).toList());
  }

  private static List<String> row(Figures run, List<Figures> runs) {
    return List.of(
        run.label(),
        "" + run.clients(),
        rate(run.valuesPerSecond()),
        compared(run, runs),
        tenths(run.iteration().p50())
            + " / "
            + tenths(run.iteration().p90())
            + " / "
            + tenths(run.iteration().p99()),
        Latencies.millis(run.taking().p50()) + " / " + Latencies.millis(run.taking().p99()),
        Latencies.millis(run.first().p50()) + " / " + Latencies.millis(run.first().p99()),
        String.format(Locale.ROOT, "%.3f", run.requestsPerValue()),
        "" + run.aborted(),
        "" + run.failed(),
        run.outOfTime()
            ? (run.taken() + run.failed()) + " of " + run.iterations()
            : "" + run.iterations(),
        run.unfinished() == 0
            ? "0"
            : String.format(
                Locale.ROOT, "%d, %.1f", run.unfinished(), run.longestUnfinishedMillis()));
  }

  /**
   * The ratio of a run's rate to that of the run to compare it with; empty if there is none with
   * values.
   */
  static String compared(Figures run, List<Figures> runs) {
    return runs.stream()
        .filter(run::comparesWith)
        .filter(other -> other.taken() > 0)
        .findFirst()
        .map(
            other ->
                String.format(
                    Locale.ROOT,
                    "%.2f of %s",
                    run.valuesPerSecond() / other.valuesPerSecond(),
                    other.mode()))
        .orElse("");
  }

  private static String rate(double valuesPerSecond) {
    return String.format(Locale.ROOT, valuesPerSecond < 100 ? "%.1f" : "%.0f", valuesPerSecond);
  }

  private static String tenths(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
  }

  String text() {
    return table.text();
  }
}
