package io.millrace.advisor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the advisor found.
 *
 * @param findings the findings, the most severe first
 * @param ignored the findings that were to be ignored, each with the reason
 * @param needless what was to be ignored and was not found, as {@code rule object}
 * @param notes what could not be looked at, in sentences
 * @param tables how many tables there are
 * @param indexes how many secondary indexes there are
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
   * @param ignored the findings that were to be ignored, each with the reason
   * @param needless what was to be ignored and was not found
   * @param notes what could not be looked at
   * @param tables how many tables there are
   * @param indexes how many secondary indexes there are
   */
  public Advice {
    findings = List.copyOf(findings);
    ignored = Collections.unmodifiableMap(new LinkedHashMap<>(ignored));
    needless = List.copyOf(needless);
    notes = List.copyOf(notes);
  }

  /**
   * Returns the findings of a severity and above.
   *
   * @param least the severity
   * @return the findings, the most severe first
   */
  public List<Finding> from(Severity least) {
    return findings.stream().filter(each -> each.severity().compareTo(least) >= 0).toList();
  }
}
