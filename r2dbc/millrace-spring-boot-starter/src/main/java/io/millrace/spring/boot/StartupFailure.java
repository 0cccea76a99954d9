package io.millrace.spring.boot;

/** What happens if the database cannot be made ready at start. */
enum StartupFailure {
  /** The application does not start. */
  FAIL,
  /**
   * It starts with a warning. Generators go on trying when they are used; a table is created at the
   * next start only.
   */
  WARN
}
