package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import io.millrace.emulator.EmulatorDatabase;
import io.millrace.emulator.SpannerEmulator;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A Spanner emulator, made as far away as a round trip's time says. Each run has a database. */
final class EmulatorPlace implements Place {

  private static final String SEQUENCE = "perf";

  private final SpannerEmulator emulator;
  private final Duration roundTrip;
  private final RequestCounter requests = new RequestCounter();
  private final @Nullable DelayProxy proxy;
  private final Spanner spanner;
  private final DatabaseAdminClient admin;

  EmulatorPlace(SpannerEmulator emulator, Duration roundTrip) {
    this.emulator = emulator;
    this.roundTrip = roundTrip;
    this.proxy = roundTrip.isZero() ? null : proxy(emulator.host(), roundTrip);
    String address = proxy == null ? emulator.host() : proxy.address();
    this.spanner =
        emulator.connect(
            options ->
                options
                    .setEmulatorHost(address)
                    .setInterceptorProvider(
                        SpannerInterceptorProvider.createDefault().with(requests)));
    this.admin = spanner.createDatabaseAdminClient();
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
  public Site open(Mode mode) {
    EmulatorDatabase database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
    DatabaseClient client = spanner.getDatabaseClient(database.id());
    database.update(
        SpannerSequenceStore.create(client).createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    return new Site(client, database.id(), admin, SEQUENCE, database::close);
  }

  @Override
  public RequestCounter requests() {
    return requests;
  }

  @Override
  public void close() {
    admin.close();
    spanner.close();
    if (proxy != null) {
      proxy.close();
    }
  }
}
