package io.millrace.advisor;

/** The certainty and the importance of a finding, in ascending order. */
public enum Severity {
  /** A suggestion. The schema alone does not show whether it matters. */
  INFO,
  /** A hotspot if many rows are written. */
  WARNING,
  /**
   * A hotspot if many rows are written, as proved by the schema, the data or Spanner's statistics.
   */
  ERROR
}
