package io.millrace.spring.boot;

/** The action to take if the database cannot be prepared on startup. */
enum StartupFailure {
  /** Fail to start the application. */
  FAIL,
  /**
   * Start and log a warning. Generators retry when they are used; a table is created only on the
   * next start.
   */
  WARN
}
