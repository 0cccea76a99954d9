package io.millrace.advisor;

/** How sure a finding is, and how much it matters. From the least to the most. */
public enum Severity {
  /** Worth a thought. The schema alone does not tell whether it matters. */
  INFO,
  /** A hotspot if many rows are written. */
  WARNING,
  /** A hotspot if many rows are written, and the schema itself proves that the values rise. */
  ERROR
}
