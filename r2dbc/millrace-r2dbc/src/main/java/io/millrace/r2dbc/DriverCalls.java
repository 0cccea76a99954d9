package io.millrace.r2dbc;

/** The threads on which a driver is called, and whether a connection in use may be closed. */
enum DriverCalls {
  /** On any thread: no call blocks. */
  DIRECT,
  /** On {@code boundedElastic}: some calls block for a while, such as the first of a client. */
  OFFLOADED,
  /**
   * On {@code boundedElastic}: the driver runs the database on the calling thread. A connection is
   * not closed while a thread is inside the database.
   */
  BLOCKING;

  static DriverCalls of(R2dbcDialect dialect) {
    return dialect.isBlocking() ? BLOCKING : DIRECT;
  }

  /** The same, for work that may block although the driver usually does not block. */
  DriverCalls offloaded() {
    return this == DIRECT ? OFFLOADED : this;
  }
}
