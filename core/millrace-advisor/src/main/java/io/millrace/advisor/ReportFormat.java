package io.millrace.advisor;

/** A form in which {@link Advice} is printed. */
public enum ReportFormat {
  /** For people: the most severe findings first, each rule explained once. */
  TEXT,
  /** The same with colours for a terminal. */
  COLOURED_TEXT,
  /** For code review and other programs: SARIF 2.1.0. */
  SARIF;

  /**
   * Prints advice.
   *
   * @return the report, without a line break at its end
   */
  public String print(Advice advice) {
    return switch (this) {
      case TEXT -> new TextReport(advice, false).text();
      case COLOURED_TEXT -> new TextReport(advice, true).text();
      case SARIF -> SarifReport.of(advice);
    };
  }

  /**
   * Prints why a schema cannot be judged.
   *
   * @return its message; in SARIF it is the only result
   */
  public String print(SchemaFileException refused) {
    return this == SARIF ? SarifReport.of(refused) : String.valueOf(refused.getMessage());
  }
}
