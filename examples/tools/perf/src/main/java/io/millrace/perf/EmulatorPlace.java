package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.tools.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A Spanner emulator with an added round trip. Each run has its own database. */
final class EmulatorPlace implements Place {

  private static final String SEQUENCE = "perf";
  private static final Duration DATABASE_LIMIT = Duration.ofMinutes(1);

  private final SpannerEmulator emulator;
  private final Duration roundTrip;
  private final @Nullable DelayProxy proxy;
  private final Connection connection;

  EmulatorPlace(SpannerEmulator emulator, Duration roundTrip) {
    this.emulator = emulator;
    this.roundTrip = roundTrip;
    this.proxy = roundTrip.isZero() ? null : proxy(emulator.host(), roundTrip);
    try {
      String address = proxy == null ? emulator.host() : proxy.address();
      this.connection =
          Connection.open(
              interceptors ->
                  emulator.connect(
                      options ->
                          options.setEmulatorHost(address).setInterceptorProvider(interceptors)));
    } catch (RuntimeException | Error e) {
      if (proxy != null) {
        proxy.close();
      }
      throw e;
    }
  }

  private static DelayProxy proxy(String address, Duration roundTrip) {
    int colon = address.lastIndexOf(':');
    return DelayProxy.start(
        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), roundTrip);
  }

  @Override
  public String description() {
    return emulator + (proxy == null ? "" : ", " + Durations.text(roundTrip) + " away");
  }

  @Override
  public RoundTrips roundTrips() {
    try (EmulatorDatabase database = createDatabase()) {
      return new RoundTrips(
          RoundTrips.measure(connection.spanner().getDatabaseClient(database.id())),
          proxy == null ? null : RoundTrips.measure(database.client()));
    }
  }

  @Override
  public RunDatabase open(Mode mode) {
    EmulatorDatabase database = createDatabase();
    DatabaseClient client = connection.spanner().getDatabaseClient(database.id());
    return new RunDatabase(client, database.id(), connection.admin(), SEQUENCE, database::close);
  }

  private EmulatorDatabase createDatabase() {
    return Mono.fromCallable(this::createDatabaseAndTable)
        .subscribeOn(Schedulers.boundedElastic())
        .timeout(
            DATABASE_LIMIT,
            Mono.error(
                () ->
                    new IllegalStateException(
                        emulator + " made no database within " + Durations.text(DATABASE_LIMIT))))
        .blockOptional()
        .orElseThrow();
  }

  private EmulatorDatabase createDatabaseAndTable() {
    EmulatorDatabase database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
    try {
      database.update(
          SpannerSequenceStore.create(database.client())
              .createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
      return database;
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  @Override
  public RequestCounter requests() {
    return connection.requests();
  }

  @Override
  public void close() {
    try (proxy) {
      connection.close();
    }
  }
}
