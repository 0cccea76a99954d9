package io.millrace.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The tables of a run, as text and as Markdown. */
final class Report {

  private static final List<String> TARGETS = List.of("target", "wanted", "measured", "verdict");
  private static final List<String> FIGURES =
      List.of("benchmark", "million values/s", "ns a value", "B a value");

  private final Results results;

  Report(Results results) {
    this.results = results;
  }

  private List<List<String>> targets() {
    return Verdict.of(results).stream()
        .map(
            verdict ->
                List.of(
                    verdict.target().text(),
                    verdict.target().wanted(),
                    verdict.figure(),
                    verdict.word()))
        .toList();
  }

  private List<List<String>> figures() {
    List<List<String>> rows = new ArrayList<>();
    for (Case each : results.cases()) {
      rows.add(
          List.of(
              each.toString(),
              format("%,.1f", results.median(each, Measured::valuesPerMicrosecond)),
              format("%,.2f", results.median(each, Measured::nanosPerValue)),
              format("%,.1f", results.median(each, Measured::bytesPerValue))));
    }
    return rows;
  }

  private static String format(String format, OptionalDouble figure) {
    return figure.isEmpty() ? "" : String.format(Locale.ROOT, format, figure.getAsDouble());
  }

  private String source() {
    return results.command() + ", " + results.date() + ", " + results.machine();
  }

  String text() {
    return source()
        + "\n\n"
        + aligned(FIGURES, figures(), 1)
        + "\n"
        + aligned(TARGETS, targets(), 4)
        + "\n";
  }

  String markdown() {
    return "`"
        + results.command()
        + "`, "
        + results.date()
        + ", "
        + results.machine()
        + "\n\n"
        + markdown(TARGETS, targets())
        + "\n"
        + markdown(FIGURES, figures());
  }

  /** The columns from {@code firstRight} on are aligned at their ends. */
  private static String aligned(List<String> head, List<List<String>> rows, int firstRight) {
    List<List<String>> all = new ArrayList<>();
    all.add(head);
    all.addAll(rows);
    StringBuilder text = new StringBuilder();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = all.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        String padding = " ".repeat(width - row.get(i).length());
        line.append(i == 0 ? "" : "  ")
            .append(i < firstRight ? row.get(i) + padding : padding + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static String markdown(List<String> head, List<List<String>> rows) {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", head)).append(" |\n");
    text.append("|---".repeat(head.size())).append("|\n");
    rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
    return text.toString();
  }
}
