package io.millrace.r2dbc;

/** The meaning of a failure that a database or its driver reports. */
public enum ErrorCategory {
  /**
   * A conflict with another transaction. The statement and its transaction had no effect, and the
   * whole transaction may be retried.
   */
  CONFLICT,
  /** A row with the same unique key already exists. */
  DUPLICATE_KEY,
  /** A table that the statement names does not exist. */
  TABLE_MISSING,
  /** The client lacks permission or cannot log in. The values themselves may be valid. */
  NOT_PERMITTED,
  /**
   * The database rejects the request and would reject it again: an unknown column, a value of the
   * wrong type, a violated constraint, an error that a trigger raises.
   */
  REFUSED,
  /**
   * The connection broke, could not be obtained, or leads to a server that is shutting down or is
   * read-only, such as the old server after a failover. It is unknown whether the statement or
   * commit in progress took effect. The connection should be closed.
   */
  CONNECTION_LOST,
  /** Any other failure. It may be transient, and the connection may be at fault. */
  OTHER
}
