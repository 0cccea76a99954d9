package io.millrace.r2dbc;

/** What a failure that a database or its driver reports means for the one who asked. */
public enum FailureKind {
  /**
   * Another transaction was in the way. The statement and its transaction had no effect, so that
   * the transaction may be run again, as a whole.
   */
  CONFLICT,
  /** A row with the same unique key exists. */
  DUPLICATE_KEY,
  /** A table that the statement names does not exist. */
  TABLE_MISSING,
  /** The client may not do this, or not be there. It says nothing about the values. */
  NOT_PERMITTED,
  /**
   * The database looked at the request and will not do it, now or later: an unknown column, a value
   * of the wrong type, a violated constraint.
   */
  REFUSED,
  /**
   * The connection broke or there was none. Whether the statement or the commit that was under way
   * took effect is unknown.
   */
  CONNECTION_LOST,
  /** Anything else. It may pass by itself. */
  OTHER
}
