package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

  private static final Duration SCHEMA_CHANGE = Duration.ofMinutes(5);

  /** Changes the schema of a database. Blocks until the end. */
  static void change(DatabaseAdminClient admin, DatabaseId id, String statement) {
    try {
      admin
          .updateDatabaseDdlAsync(id.getName(), List.of(statement))
          .get(SCHEMA_CHANGE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("cannot run: " + statement, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running: " + statement, e);
    }
  }

  @Override
  public void close() {
    cleanUp.run();
  }
}
