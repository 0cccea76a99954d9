package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * A database of a Cloud Spanner instance. Each run has one or more separate rows in the table
 * {@code sequences}. They are removed after the run, or when the JVM shuts down during it.
 */
final class InstancePlace implements Place {

  /** Sorts after the {@code #} in the names of the application's rows. */
  private static final String END = "$";

  private static final Duration SCHEMA_CHANGE = Duration.ofMinutes(5);

  private final DatabaseId database;
  private final Connection connection;

  /**
   * Connects.
   *
   * @param connect makes a client with the given interceptors
   * @param create whether to create the table if it is missing
   */
  InstancePlace(
      Function<SpannerInterceptorProvider, Spanner> connect,
      String instance,
      String name,
      boolean create) {
    this.connection = Connection.open(connect);
    try {
      String project = connection.spanner().getOptions().getProjectId();
      this.database = DatabaseId.of(project, instance, name);
      if (create) {
        SpannerSequenceStore.create(client())
            .createTable(connection.admin(), database)
            .block(SCHEMA_CHANGE);
      }
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  private DatabaseClient client() {
    return connection.spanner().getDatabaseClient(database);
  }

  @Override
  public String description() {
    return database.getName();
  }

  @Override
  public RoundTrips roundTrips() {
    return new RoundTrips(RoundTrips.measure(client()), null);
  }

  @Override
  public RunDatabase open(Mode mode) {
    DatabaseClient client = client();
    String sequence = "perf_" + UUID.randomUUID().toString().replace('-', '_');
    CleanUp cleanUp = new CleanUp(() -> remove(client, mode, sequence));
    return new RunDatabase(client, database, connection.admin(), sequence, cleanUp::close);
  }

  private void remove(DatabaseClient client, Mode mode, String sequence) {
    if (mode == Mode.NATIVE) {
      RunDatabase.change(connection.admin(), database, "DROP SEQUENCE " + sequence);
    }
    KeyRange rows = KeyRange.closedOpen(Key.of(sequence), Key.of(sequence + END));
    client.write(List.of(Mutation.delete("sequences", KeySet.range(rows))));
  }

  @Override
  public RequestCounter requests() {
    return connection.requests();
  }

  @Override
  public void close() {
    connection.close();
  }
}
