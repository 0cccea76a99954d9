package io.millrace.advisor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The findings of the advisor.
 *
 * @param findings the findings, the most severe first
 * @param ignored the findings to ignore, each with the reason
 * @param needless findings to ignore that were not found, as {@code rule object}
 * @param notes what could not be examined, in sentences
 * @param tables the number of tables
 * @param indexes the number of secondary indexes
 */
public record Advice(
    List<Finding> findings,
    Map<Finding, String> ignored,
    List<String> needless,
    List<String> notes,
    int tables,
    int indexes) {

  /**
   * Copies the lists.
   *
   * @param findings the findings
   * @param ignored the findings to ignore, each with the reason
   * @param needless findings to ignore that were not found
   * @param notes what could not be examined
   * @param tables the number of tables
   * @param indexes the number of secondary indexes
   */
  public Advice {
    findings = List.copyOf(findings);
    ignored = Collections.unmodifiableMap(new LinkedHashMap<>(ignored));
    needless = List.copyOf(needless);
    notes = List.copyOf(notes);
  }

  /**
   * Returns the findings of at least a severity.
   *
   * @param least the severity
   * @return the findings, the most severe first
   */
  public List<Finding> from(Severity least) {
    return findings.stream().filter(each -> each.severity().compareTo(least) >= 0).toList();
  }
}
