package io.millrace.advise;

import io.millrace.advisor.Finding;
import io.millrace.advisor.Severity;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** The report as text: the most severe findings first, each rule explained once. */
final class TextReport {

  private static final Map<Severity, String> STYLES =
      new EnumMap<>(
          Map.of(
              Severity.ERROR, "bold,red", Severity.WARNING, "bold,yellow", Severity.INFO, "bold"));

  private final PrintWriter out;
  private final Ansi ansi;

  TextReport(PrintWriter out, Ansi ansi) {
    this.out = out;
    this.ansi = ansi;
  }

  void print(Report report) {
    report.advice().findings().stream()
        .collect(
            Collectors.groupingBy(
                finding -> finding.severity() + " " + finding.rule().id(),
                LinkedHashMap::new,
                Collectors.toList()))
        .values()
        .forEach(group -> group(report, group));
    report.notes().forEach(note -> out.println("note: " + note));
    report
        .advice()
        .needless()
        .forEach(each -> out.println("note: ignored, but not found: " + each));
    out.println(summary(report));
    out.flush();
  }

  private void group(Report report, List<Finding> group) {
    Finding first = group.get(0);
    out.println(
        styled(first.severity())
            + "  "
            + first.rule().id()
            + " ("
            + group.size()
            + ")\n  "
            + first.rule().why()
            + "\n  Source: "
            + first.rule().source()
            + "\n          "
            + first.rule().url());
    group.forEach(finding -> finding(report, finding));
    out.println();
  }

  private String styled(Severity severity) {
    return ansi.string("@|" + STYLES.get(severity) + " " + severity + "|@");
  }

  private void finding(Report report, Finding finding) {
    out.println();
    out.println(
        "  "
            + (finding.index() == null ? "table " : "index ")
            + finding.object()
            + (finding.index() == null ? "" : " on " + finding.table())
            + ": "
            + finding.what());
    report
        .place(finding)
        .ifPresent(
            place -> out.println("    " + place.path() + ":" + place.line() + "  " + place.text()));
    finding.remedyText().lines().forEach(line -> out.println("    | " + line));
  }

  private static String summary(Report report) {
    Map<Severity, Long> counts =
        report.advice().findings().stream()
            .collect(Collectors.groupingBy(Finding::severity, Collectors.counting()));
    return count(counts, Severity.ERROR)
        + ", "
        + count(counts, Severity.WARNING)
        + ", "
        + count(counts, Severity.INFO)
        + " in "
        + number(report.advice().tables(), "table", "tables")
        + " and "
        + number(report.advice().indexes(), "index", "indexes")
        + "; "
        + report.advice().ignored().size()
        + " ignored";
  }

  private static String count(Map<Severity, Long> counts, Severity severity) {
    String name = severity.name().toLowerCase(Locale.ROOT);
    return number(counts.getOrDefault(severity, 0L), name, name + "s");
  }

  private static String number(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
