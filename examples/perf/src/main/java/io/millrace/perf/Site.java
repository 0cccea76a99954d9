package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;

/**
 * A database with a sequence of its own for one run.
 *
 * @param client the database
 * @param id the database's name
 * @param admin may change its schema; not to be closed
 * @param sequence the name of the sequence, which is not there yet
 * @param cleanUp removes what the run has left; may block
 */
record Site(
    DatabaseClient client,
    DatabaseId id,
    DatabaseAdminClient admin,
    String sequence,
    Runnable cleanUp)
    implements AutoCloseable {

  @Override
  public void close() {
    cleanUp.run();
  }
}
