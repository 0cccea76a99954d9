package io.millrace.advisor;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report for scripts.
 *
 * @param advice what is reported
 */
record JsonReport(Advice advice) {

  String text() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("tables", advice.tables());
    report.put("indexes", advice.indexes());
    report.put("findings", advice.findings().stream().map(each -> item(each, null)).toList());
    report.put(
        "ignored",
        advice.ignored().stream().map(each -> item(each.finding(), each.reason())).toList());
    report.put("needless", advice.needless());
    report.put("notes", advice.notes());
    return Json.text(report);
  }

  private static Map<String, @Nullable Object> item(
      Finding finding, @Nullable String ignoredBecause) {
    Place place = finding.place();
    Map<String, @Nullable Object> item = new LinkedHashMap<>();
    item.put("rule", finding.rule().id());
    item.put("severity", finding.severity());
    item.put("table", finding.table());
    item.put("index", finding.index());
    item.put("column", finding.column());
    item.put("what", finding.what());
    item.put("why", finding.rule().why());
    item.put("source", finding.rule().source());
    item.put("url", finding.rule().url());
    item.put("file", place == null ? null : place.file());
    item.put("line", place == null ? null : place.line());
    item.put("remedy", finding.remedy());
    item.put("ignoredBecause", ignoredBecause);
    return item;
  }
}
