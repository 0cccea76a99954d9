package io.millrace.benchmark;

import io.millrace.tools.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The tables of a run. */
final class Report {

  private static final List<String> TARGETS = List.of("target", "wanted", "measured", "verdict");
  private static final List<String> FIGURES =
      List.of("benchmark", "million values/s", "ns a value", "B a value");

  private final Results results;

  Report(Results results) {
    this.results = results;
  }

  private TextTable targets() {
    List<List<String>> rows =
        Verdict.of(results).stream()
            .map(
                verdict ->
                    List.of(
                        verdict.target().text(),
                        verdict.target().wanted(),
                        verdict.figure(),
                        verdict.label()))
            .toList();
    return new TextTable(TARGETS, TARGETS.size(), rows);
  }

  private TextTable figures() {
    List<List<String>> rows = new ArrayList<>();
    for (Case each : results.cases()) {
      rows.add(
          List.of(
              each.toString(),
              format("%,.1f", results.median(each, Measured::valuesPerMicrosecond)),
              format("%,.2f", results.median(each, Measured::nanosPerValue)),
              format("%,.1f", results.median(each, Measured::bytesPerValue))));
    }
    return new TextTable(FIGURES, 1, rows);
  }

  private static String format(String format, OptionalDouble figure) {
    return figure.isEmpty() ? "" : String.format(Locale.ROOT, format, figure.getAsDouble());
  }

  private String source() {
    return results.command() + ", " + results.date() + ", " + results.machine();
  }

  String text() {
    return source() + "\n\n" + figures().text() + "\n\n" + targets().text() + "\n\n";
  }
}
