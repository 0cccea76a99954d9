package io.millrace.perf;

import com.google.cloud.spanner.DatabaseAdminClient;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.InstanceId;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.Statement;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.tools.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Where runs take place: the Spanner emulator or an instance of Cloud Spanner. Each run has its own
 * database, which is dropped at its end, also when the JVM shuts down. All methods may block.
 *
 * <p>The client has the default settings: {@code SequenceClientSettings} would limit a request to 5
 * seconds, and with a transaction for each value a request waits longer for the row's lock.
 *
 * @param proxy what adds a round trip; null if there is none
 */
record Place(Spanner spanner, InstanceId instance, String description, @Nullable DelayProxy proxy)
    implements AutoCloseable {

  private static final long LIMIT_SECONDS = Duration.ofMinutes(5).toSeconds();
  private static final int SMALL_REQUESTS = 50;

  /** The sequence of a run, a row of the table {@code sequences}. */
  static final String SEQUENCE = "perf";

  /** Spanner's own sequence. */
  static final String NATIVE_SEQUENCE = "perf_native";

  /** The database of a run. */
  record RunDatabase(DatabaseClient client, Runnable drop, Thread atShutdown)
      implements AutoCloseable {

    @Override
    public void close() {
      drop.run();
      Runtime.getRuntime().removeShutdownHook(atShutdown);
    }
  }

  /**
   * Finds or starts the emulator.
   *
   * @param roundTrip what a proxy adds to each round trip; zero for no proxy
   * @throws IllegalStateException if there is no emulator, or it does not work
   */
  static Place emulator(Duration roundTrip) {
    SpannerEmulator emulator =
        SpannerEmulator.find()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no Spanner emulator here; "
                            + SpannerEmulator.HOW_TO_GET
                            + ", or name an --instance"));
    DelayProxy proxy = roundTrip.isZero() ? null : new DelayProxy(emulator.host(), roundTrip);
    String address = proxy == null ? emulator.host() : "localhost:" + proxy.port();
    return new Place(
        emulator.connect(options -> options.setEmulatorHost(address)),
        emulator
            .spanner()
            .getInstanceAdminClient()
            .listInstances()
            .iterateAll()
            .iterator()
            .next()
            .getId(),
        emulator + (proxy == null ? "" : ", " + Durations.text(roundTrip) + " away"),
        proxy);
  }

  /** Connects to an instance of the environment's project, with the environment's credentials. */
  static Place instance(String name) {
    Spanner spanner = SpannerOptions.newBuilder().build().getService();
    InstanceId instance = InstanceId.of(spanner.getOptions().getProjectId(), name);
    return new Place(spanner, instance, instance.getName(), null);
  }

  /**
   * Creates the database of a run, with the table of sequences and both sequences.
   *
   * @param ddl further statements
   */
  RunDatabase open(String... ddl) {
    String name = "perf_" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    DatabaseAdminClient admin = spanner.getDatabaseAdminClient();
    String id = instance.getInstance();
    Runnable drop = () -> admin.dropDatabase(id, name);
    Thread atShutdown = new Thread(drop, "perf-drop");
    Runtime.getRuntime().addShutdownHook(atShutdown);
    try {
      admin
          .createDatabase(
              id, name, List.of("CREATE SEQUENCE " + NATIVE_SEQUENCE + " BIT_REVERSED_POSITIVE"))
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      DatabaseClient client =
          spanner.getDatabaseClient(DatabaseId.of(instance.getProject(), id, name));
      SpannerSequenceStore rows = SpannerSequenceStore.create(client);
      List<String> statements = new ArrayList<>(List.of(ddl));
      statements.add(rows.createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
      admin.updateDatabaseDdl(id, name, statements, null).get(LIMIT_SECONDS, TimeUnit.SECONDS);
      rows.create(SEQUENCE, 1).block(Duration.ofSeconds(LIMIT_SECONDS));
      return new RunDatabase(client, drop, atShutdown);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalArgumentException("cannot create the database " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalArgumentException("interrupted while creating the database " + name, e);
    }
  }

  /** Times small requests, sent one at a time, after as many that are not measured. */
  Latencies roundTrips() {
    try (RunDatabase database = open()) {
      Latencies latencies = new Latencies();
      for (int i = 0; i < 2 * SMALL_REQUESTS; i++) {
        long start = System.nanoTime();
        try (ResultSet rows =
            database.client().singleUse().executeQuery(Statement.of("SELECT 1"))) {
          rows.next();
        }
        if (i >= SMALL_REQUESTS) {
          latencies.record(System.nanoTime() - start);
        }
      }
      return latencies;
    }
  }

  @Override
  public void close() {
    spanner.close();
    if (proxy != null) {
      proxy.close();
    }
  }
}
