package io.millrace.r2dbc;

/** The meaning of a failure that a database or its driver reports. */
public enum FailureKind {
  /**
   * Another transaction was in the way. The statement and its transaction had no effect, and the
   * whole transaction may be run again.
   */
  CONFLICT,
  /** A row with the same unique key exists. */
  DUPLICATE_KEY,
  /** A table that the statement names does not exist. */
  TABLE_MISSING,
  /** The client has no permission, or cannot log in. This says nothing about the values. */
  NOT_PERMITTED,
  /**
   * The database rejects the request, and would reject it again: an unknown column, a value of the
   * wrong type, a violated constraint.
   */
  REFUSED,
  /**
   * The connection broke, or there was none, or it leads to a server that is shutting down or takes
   * no writes, as the old one does after a failover. It is unknown whether the statement or commit
   * in progress took effect. The connection should be closed, not used again.
   */
  CONNECTION_LOST,
  /** Anything else. It may be transient, and the connection's fault. */
  OTHER
}
