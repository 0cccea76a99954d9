package io.millrace.spring.boot;

/**
 * Describes where the counters are, for the log: the table, the database and the client that
 * reaches it.
 */
@FunctionalInterface
interface StoreDescription {

  /** Called when the application starts. Sends nothing to the database. */
  String text();
}
