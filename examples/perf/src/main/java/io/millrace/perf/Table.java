package io.millrace.perf;

import io.millrace.tools.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Runs beside the guide's numbers, as text or as Markdown. */
final class Table {

  private static final List<String> HEAD =
      List.of(
          "mode",
          "clients",
          "values/s",
          "guide's",
          "50/90/99 %ile ms",
          "guide's",
          "taking it, 50/99 %ile ms",
          "requests a value",
          "aborted",
          "errors",
          "iterations",
          "unfinished, oldest ms");

  private final TextTable table;

  Table(List<Figures> runs) {
    this.table = new TextTable(HEAD, 1, runs.stream().map(Table::row).toList());
  }

  private static List<String> row(Figures run) {
    Optional<Guide> guide = guide(run);
    return List.of(
        run.label(),
        "" + run.clients(),
        rate(run.valuesPerSecond()),
        guide.map(row -> rate(row.valuesPerSecond())).orElse(""),
        tenths(run.iteration().p50())
            + " / "
            + tenths(run.iteration().p90())
            + " / "
            + tenths(run.iteration().p99()),
        guide.map(row -> row.p50() + " / " + row.p90() + " / " + row.p99()).orElse(""),
        Latencies.millis(run.taking().p50()) + " / " + Latencies.millis(run.taking().p99()),
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

  /** The guide's row of the same mode and settings. */
  static Optional<Guide> guide(Figures run) {
    return Guide.TABLE.stream()
        .filter(row -> row.mode() == run.mode() && row.clients() == run.clients())
        .filter(row -> run.perTransaction() == 1)
        .filter(row -> run.batchSize() == 0 || run.batchSize() == Guide.BATCH_SIZE)
        .filter(row -> run.watermark() == 0 || run.watermark() == Guide.WATERMARK)
        .findFirst();
  }

  private static String rate(double valuesPerSecond) {
    return String.format(Locale.ROOT, valuesPerSecond < 100 ? "%.1f" : "%.0f", valuesPerSecond);
  }

  private static String tenths(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
  }

  /** The table as text; the first column is aligned left. */
  String text() {
    return table.text();
  }

  String markdown() {
    return table.markdown();
  }
}
