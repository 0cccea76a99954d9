package io.millrace.advisor;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
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
    report.put("findings", items(advice.findings()));
    report.put("ignored", items(advice.ignored().keySet()));
    report.put("needless", advice.needless());
    report.put("notes", advice.notes());
    return Json.text(report);
  }

  private List<Map<String, @Nullable Object>> items(Collection<Finding> findings) {
    return findings.stream().map(this::item).toList();
  }

  private Map<String, @Nullable Object> item(Finding finding) {
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
    item.put("ignoredBecause", advice.ignored().get(finding));
    return item;
  }
}
