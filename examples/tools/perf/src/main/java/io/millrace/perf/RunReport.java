package io.millrace.perf;

import io.millrace.tools.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints runs. */
record RunReport(PrintStream out) {

  /** Prints a run: first in the form of the guide's tool, then the other figures. */
  void print(Figures run) {
    printGuidesLines(run);
    out.println();
    if (run.warmUp() > 0) {
      line("Warm-up", "%s, not in any other figure", count(run.warmUp(), "value"));
    }
    if (run.outOfTime()) {
      line(
          "Out of time",
          "%d of %d iterations; %s in one more, the longest for %s ms",
          run.taken() + run.failed(),
          run.workload().iterations(),
          count(run.unfinished(), "client"),
          Latencies.text(run.longestUnfinished()));
    }
    line("Taking a value", "%s", percentiles(run.taking()));
    line(run.warmUp() > 0 ? "First values" : "Cold start", "%s", percentiles(run.first()));
    String twice = run.duplicates() == 0 ? "" : "; FAILED: " + run.duplicates() + " came twice";
    line("Distinct values", "%d%s", run.taken() - run.duplicates(), twice);
    line("Errors", "%d %s", run.failed(), run.errors());
    if (run.generator() != null) {
      line(
          "Reservations",
          "%d, with those of the warm-up; %s buffered at the end, which a kill would lose",
          run.generator().reservations(),
          count(run.generator().buffered(), "value"));
    }
  }

  /** Prints the run to compare with, and how the two compare. */
  void printComparison(Figures run, Figures other) {
    line(
        "Compared with",
        "%s: %.1f values/s, taking one %s; the ratio is %s",
        other.workload(),
        other.perSecond(),
        percentiles(other.taking()),
        ratio(run.perSecond(), other.perSecond()));
  }

  /** The guide's lines, in the guide's form; its times include the application's. */
  private void printGuidesLines(Figures run) {
    out.printf(
        Locale.ROOT,
        "%d iterations (%d parallel threads) in %d milliseconds: %f values/s%n",
        run.taken(),
        run.workload().clients(),
        run.millis(),
        run.perSecond());
    for (int percent : new int[] {50, 75, 90, 99}) {
      long nanos = run.iteration().percentile(percent);
      out.printf(Locale.ROOT, "Latency: %d%%ile %d ms%n", percent, nanos / 1_000_000);
    }
  }

  /** Prints runs as a table, each with the ratio to the run of its limit or peer. */
  void printTable(List<Figures> runs) {
    List<String> head =
        List.of(
            "mode",
            "values/s",
            "compared",
            "50/99 %ile ms",
            "taking it, 50/99 %ile ms",
            "first, 50/99 %ile ms",
            "errors",
            "unfinished, longest ms");
    List<List<String>> rows = runs.stream().map(run -> row(run, runs)).toList();
    out.printf("%n%s%n%n", new TextTable(head, 1, rows).text());
  }

  private static List<String> row(Figures run, List<Figures> runs) {
    Workload comparison = run.workload().comparison();
    String compared =
        runs.stream()
            .filter(other -> other != run && other.workload().equals(comparison))
            .map(other -> ratio(run.perSecond(), other.perSecond()) + " of " + comparison.mode())
            .findFirst()
            .orElse("");
    return List.of(
        run.workload().toString(),
        tenths(run.perSecond()),
        compared,
        pair(run.iteration()),
        pair(run.taking()),
        pair(run.first()),
        "" + run.failed(),
        run.unfinished() + ", " + Latencies.text(run.longestUnfinished()));
  }

  private static String pair(Latencies latencies) {
    return latencies.millis(50) + " / " + latencies.millis(99);
  }

  private static String percentiles(Latencies latencies) {
    return String.format(
        Locale.ROOT,
        "50%%ile %s ms, 99%%ile %s ms, longest %s ms",
        latencies.millis(50),
        latencies.millis(99),
        Latencies.text(latencies.longest()));
  }

  /** A number with its noun: {@code 1 client}, {@code 2 clients}. */
  static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  static String tenths(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  /** A ratio with two decimal places; a dash if the second number is 0. */
  static String ratio(double a, double b) {
    return b == 0 ? "-" : String.format(Locale.ROOT, "%.2f", a / b);
  }

  private void line(String name, String form, Object... figures) {
    out.printf(Locale.ROOT, "%-16s %s%n", name, String.format(Locale.ROOT, form, figures));
  }
}
