package io.millrace.spring;

/** Says for people where the counters are: the table, the database and the way to it. */
@FunctionalInterface
interface StoreDescription {

  /** Asked when the application starts; asks the database for nothing. */
  String text();
}
