package io.millrace.advise;

import io.millrace.advisor.Finding;
import io.millrace.advisor.Severity;
import io.millrace.tools.IndentedJson;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report for scripts.
 *
 * @param tables how many tables there are
 * @param indexes how many indexes there are
 * @param findings the most severe first
 * @param ignored what was to be ignored
 * @param needless what was to be ignored and was not found
 * @param notes what could not be looked at
 */
record JsonReport(
    int tables,
    int indexes,
    List<Item> findings,
    List<Item> ignored,
    List<String> needless,
    List<String> notes) {

  /** A finding and its place. */
  record Item(
      String rule,
      Severity severity,
      String table,
      @Nullable String index,
      @Nullable String column,
      String what,
      String why,
      String source,
      String url,
      @Nullable String file,
      @Nullable Integer line,
      List<String> remedy,
      @Nullable String ignoredBecause) {

    static Item of(Report report, Finding finding) {
      DdlFile.@Nullable Place place = report.place(finding).orElse(null);
      return new Item(
          finding.rule().id(),
          finding.severity(),
          finding.table(),
          finding.index(),
          finding.column(),
          finding.what(),
          finding.rule().why(),
          finding.rule().source(),
          finding.rule().url(),
          place == null ? null : place.path().toString(),
          place == null ? null : place.line(),
          finding.remedy(),
          report.advice().ignored().get(finding));
    }
  }

  static String text(Report report) {
    return IndentedJson.builder()
        .build()
        .writeValueAsString(
            new JsonReport(
                report.advice().tables(),
                report.advice().indexes(),
                items(report, report.advice().findings()),
                items(report, report.advice().ignored().keySet()),
                report.advice().needless(),
                report.notes()));
  }

  private static List<Item> items(Report report, Collection<Finding> findings) {
    return findings.stream().map(finding -> Item.of(report, finding)).toList();
  }
}
