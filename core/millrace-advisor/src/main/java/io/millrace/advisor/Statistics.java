package io.millrace.advisor;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** What Spanner itself measured. The emulator has no such tables. */
final class Statistics {

  /** From this share of load that waits for a server, in percent, Spanner calls a range warm. */
  private static final double WARM = 50;

  private static final double HOT = 100;

  /** The shortest total wait, in seconds within the last hour, that is worth a line. */
  private static final double WAIT_SECONDS = 10;

  private static final String SPLITS =
      "SELECT CAST(s.cpu_usage_score AS TEXT_TYPE), s.split_start, s.split_limit"
          + " FROM spanner_sys.split_stats_top_minute s WHERE s.interval_end ="
          + " (SELECT MAX(m.interval_end) FROM spanner_sys.split_stats_top_minute m)"
          + (" AND s.cpu_usage_score >= "
              + (int) WARM
              + " ORDER BY s.cpu_usage_score DESC LIMIT 20");

  private static final String LOCKS =
      "SELECT CAST(l.lock_wait_seconds AS TEXT_TYPE), CAST(l.row_range_start_key AS TEXT_TYPE)"
          + " FROM spanner_sys.lock_stats_top_hour l WHERE l.interval_end ="
          + " (SELECT MAX(m.interval_end) FROM spanner_sys.lock_stats_top_hour m)"
          + (" AND l.lock_wait_seconds >= " + (int) WAIT_SECONDS)
          + " ORDER BY l.lock_wait_seconds DESC LIMIT 20";

  private final Catalog catalog;
  private final SchemaQuery query;
  private final Consumer<Finding> findings;
  private final Consumer<String> notes;

  Statistics(
      Catalog catalog, SchemaQuery query, Consumer<Finding> findings, Consumer<String> notes) {
    this.catalog = catalog;
    this.query = query;
    this.findings = findings;
    this.notes = notes;
  }

  void read() {
    if (!catalog.isSpanner()) {
      return;
    }
    rows(SPLITS, "hot splits").ifPresent(rows -> rows.forEach(row -> split(text(row, 0), row)));
    rows(LOCKS, "lock waits")
        .ifPresent(rows -> rows.forEach(row -> lock(text(row, 0), text(row, 1))));
  }

  private static String text(List<String> row, int column) {
    return Objects.requireNonNullElse(row.get(column), "");
  }

  private void split(String score, List<String> row) {
    boolean hot = Double.parseDouble(score) >= HOT;
    findings.accept(
        new Finding(
            Rule.HOT_SPLIT,
            hot ? Severity.ERROR : Severity.WARNING,
            owner(text(row, 1)),
            null,
            null,
            "is "
                + (hot ? "hot" : "warm")
                + " from "
                + text(row, 1)
                + " to "
                + text(row, 2)
                + ": "
                + score
                + " % of its load waits for one server",
            List.of()));
  }

  private void lock(String seconds, String start) {
    findings.accept(
        new Finding(
            Rule.LOCK_WAITS,
            Severity.WARNING,
            owner(start),
            null,
            null,
            "transactions waited " + seconds + " s at " + start + " within the last hour",
            List.of()));
  }

  /** A key is written as {@code Table(value,value)}, an index as {@code Table.Index(value)}. */
  private static String owner(String key) {
    int end = key.indexOf('(');
    return end < 0 ? key : key.substring(0, end);
  }

  private Optional<List<List<String>>> rows(String sql, String what) {
    try {
      return Optional.of(
          query.rows(sql.replace("TEXT_TYPE", catalog.textType())).stream()
              .map(row -> row.stream().map(value -> Objects.requireNonNullElse(value, "")).toList())
              .toList());
    } catch (RuntimeException refused) {
      notes.accept("no statistics of " + what + ": the database does not provide them");
      return Optional.empty();
    }
  }
}
