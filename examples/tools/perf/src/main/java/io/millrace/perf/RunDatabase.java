package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;

/**
 * A database with a separate sequence for one run.
 *
 * @param client the client of the database
 * @param id the database's name
 * @param admin changes its schema; the run does not close it
 * @param sequence the name of the sequence, which does not exist yet
 * @param cleanUp removes the data of the run; may block
 */
record RunDatabase(
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
