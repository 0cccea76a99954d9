package io.millrace.r2dbc;

/** On what threads a driver is called, and whether work can be ended from outside. */
enum DriverCalls {
  /** On any thread: no call blocks. */
  DIRECT,
  /** On {@code boundedElastic}: some calls block for a while, such as the first of a client. */
  OFFLOADED,
  /**
   * On {@code boundedElastic}: the driver runs the database on the thread that calls. A connection
   * is not closed while a thread is inside.
   */
  BLOCKING;

  static DriverCalls of(R2dbcDialect dialect) {
    return dialect.isBlocking() ? BLOCKING : DIRECT;
  }

  /** The same, for work that may block although the driver usually does not. */
  DriverCalls offloaded() {
    return this == DIRECT ? OFFLOADED : this;
  }
}
