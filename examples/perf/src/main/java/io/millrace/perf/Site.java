package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;

/** A database with a counter of its own for one run. */
interface Site extends AutoCloseable {

  DatabaseClient client();

  /** The name of the counter, and of Spanner's own sequence where the run needs one. */
  String sequence();

  @Override
  void close();
}
