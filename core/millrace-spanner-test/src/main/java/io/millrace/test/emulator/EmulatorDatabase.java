package io.millrace.test.emulator;

import com.google.cloud.spanner.Database;
import com.google.cloud.spanner.DatabaseAdminClient;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Spanner;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A database on an emulator, for a test class or a program. Methods may block. */
public final class EmulatorDatabase implements AutoCloseable {

  private static final long LIMIT_SECONDS = 120;

  private final SpannerEmulator emulator;
  private final DatabaseId id;
  private final Dialect dialect;
  private final DatabaseClient client;

  private EmulatorDatabase(SpannerEmulator emulator, DatabaseId id, Dialect dialect) {
    this.emulator = emulator;
    this.id = id;
    this.dialect = dialect;
    this.client = emulator.spanner().getDatabaseClient(id);
  }

  static EmulatorDatabase create(
      SpannerEmulator emulator, String project, String instance, Dialect dialect, String... ddl) {
    String name = "db_" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    DatabaseAdminClient admin = emulator.spanner().getDatabaseAdminClient();
    DatabaseId id = DatabaseId.of(project, instance, name);
    Database database = admin.newDatabaseBuilder(id).setDialect(dialect).build();
    await(admin.createDatabase(database, List.of()), "create " + id + " on " + emulator);
    EmulatorDatabase created = new EmulatorDatabase(emulator, id, dialect);
    created.update(ddl);
    return created;
  }

  /**
   * Changes the schema, and waits for the change.
   *
   * @param ddl statements, in the database's dialect
   */
  public void update(String... ddl) {
    if (ddl.length == 0) {
      return;
    }
    await(
        emulator
            .spanner()
            .getDatabaseAdminClient()
            .updateDatabaseDdl(
                id.getInstanceId().getInstance(), id.getDatabase(), List.of(ddl), null),
        "update " + id);
  }

  /** {@return the statements that create the schema, in the database's dialect} */
  public List<String> ddl() {
    return emulator
        .spanner()
        .getDatabaseAdminClient()
        .getDatabaseDdl(id.getInstanceId().getInstance(), id.getDatabase());
  }

  private static void await(Future<?> done, String what) {
    try {
      done.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: " + what, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("cannot " + what, e);
    }
  }

  /** {@return the emulator of this database} */
  public SpannerEmulator emulator() {
    return emulator;
  }

  /** {@return the emulator's shared client, which must not be closed} */
  public Spanner spanner() {
    return emulator.spanner();
  }

  /** {@return a client of this database} */
  public DatabaseClient client() {
    return client;
  }

  /** {@return the names of project, instance and database} */
  public DatabaseId id() {
    return id;
  }

  /** {@return the database's dialect} */
  public Dialect dialect() {
    return dialect;
  }

  /** Drops the database. */
  @Override
  public void close() {
    emulator
        .spanner()
        .getDatabaseAdminClient()
        .dropDatabase(id.getInstanceId().getInstance(), id.getDatabase());
  }

  @Override
  public String toString() {
    return id.getName() + " on " + emulator;
  }
}
