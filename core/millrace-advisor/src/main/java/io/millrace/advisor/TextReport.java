package io.millrace.advisor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report as text: the most severe findings first, each rule explained once. */
final class TextReport {

  private final Advice advice;
  private final boolean coloured;
  private final List<String> lines = new ArrayList<>();

  TextReport(Advice advice, boolean coloured) {
    this.advice = advice;
    this.coloured = coloured;
  }

  String text() {
    advice.findings().stream()
        .collect(
            Collectors.groupingBy(
                finding -> finding.severity() + " " + finding.rule().id(),
                LinkedHashMap::new,
                Collectors.toList()))
        .values()
        .forEach(this::group);
    advice.notes().forEach(note -> add("note: " + note));
    advice.needless().forEach(each -> add("note: ignored, but not found: " + each));
    lines.add(summary());
    return String.join("\n", lines);
  }

  private void group(List<Finding> group) {
    Finding first = group.get(0);
    lines.add(styled(first.severity()) + "  " + first.rule().id() + " (" + group.size() + ")");
    lines.add("  " + first.rule().why());
    lines.add("  Source: " + first.rule().source());
    lines.add("          " + first.rule().url());
    group.forEach(this::finding);
    lines.add("");
  }

  private String styled(Severity severity) {
    String style =
        switch (severity) {
          case ERROR -> "1;31";
          case WARNING -> "1;33";
          case INFO -> "1";
        };
    return coloured ? "\u001B[" + style + "m" + severity + "\u001B[0m" : severity.toString();
  }

  private void finding(Finding finding) {
    lines.add("");
    add(
        "  "
            + (finding.index() == null ? "table " : "index ")
            + finding.object()
            + (finding.index() == null ? "" : " on " + finding.table())
            + ": "
            + finding.what());
    add("    " + finding.place() + "  " + finding.place().text());
    finding.remedyText().lines().forEach(line -> add("    | " + line));
  }

  /** Adds a line with names and texts of the schema. */
  private void add(String line) {
    lines.add(Shown.line(line));
  }

  private String summary() {
    Map<Severity, Long> counts =
        advice.findings().stream()
            .collect(Collectors.groupingBy(Finding::severity, Collectors.counting()));
    return count(counts, Severity.ERROR)
        + ", "
        + count(counts, Severity.WARNING)
        + ", "
        + count(counts, Severity.INFO)
        + " in "
        + number(advice.tables(), "table", "tables")
        + " and "
        + number(advice.indexes(), "index", "indexes")
        + "; "
        + advice.ignored().size()
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
