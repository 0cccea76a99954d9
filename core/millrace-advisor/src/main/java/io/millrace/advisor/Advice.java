package io.millrace.advisor;

import java.util.List;

/**
 * The findings of the advisor.
 *
 * @param findings the findings, the most severe first
 * @param ignored the findings to ignore
 * @param needless findings to ignore that were not found, as {@code rule object}
 * @param notes what could not be examined, in sentences
 * @param tables the number of tables
 * @param indexes the number of secondary indexes
 */
public record Advice(
    List<Finding> findings,
    List<Ignored> ignored,
    List<String> needless,
    List<String> notes,
    int tables,
    int indexes) {

  /** Copies the lists. */
  public Advice {
    findings = List.copyOf(findings);
    ignored = List.copyOf(ignored);
    needless = List.copyOf(needless);
    notes = List.copyOf(notes);
  }

  /**
   * Returns the findings of at least a severity.
   *
   * @return the findings, the most severe first
   */
  public List<Finding> from(Severity least) {
    return findings.stream().filter(each -> each.severity().compareTo(least) >= 0).toList();
  }
}
