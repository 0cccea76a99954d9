package io.millrace.quickstart;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.grpc.ClientInterceptor;
import io.millrace.SequenceStore;
import io.millrace.spanner.SequenceClientSettings;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Orders in their own database on a Spanner emulator. The sequences have their own client, because
 * its settings suit reservations but not the queries of an application.
 */
final class SpannerOrders implements OrderDatabase {

  private static final String TABLE = "orders";
  private static final List<String> COLUMNS =
      List.of("shard", "order_key", "number", "customer", "cents");
  private static final int CONCURRENT_COMMITS = 4;
  private static final String DDL =
      """
      CREATE TABLE orders (
        shard INT64 NOT NULL,
        order_key INT64 NOT NULL,
        number INT64 NOT NULL,
        customer STRING(64) NOT NULL,
        cents INT64 NOT NULL
      ) PRIMARY KEY (shard, order_key)""";

  private final EmulatorDatabase database;
  private final Spanner spanner;
  private final DatabaseClient client;
  private final Spanner sequenceSpanner;
  private final RequestCounter requests = new RequestCounter();
  private final SpannerSequenceStore sequences;

  SpannerOrders(SpannerEmulator emulator) {
    this.database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
    this.spanner = emulator.connect(options -> options);
    this.client = spanner.getDatabaseClient(database.id());
    this.sequenceSpanner =
        emulator.connect(options -> counted(SequenceClientSettings.applyTo(options)));
    this.sequences = SpannerSequenceStore.create(sequenceSpanner.getDatabaseClient(database.id()));
  }

  /** Adds the counter to the interceptors of the options; a plain setter would replace them. */
  private SpannerOptions.Builder counted(SpannerOptions.Builder options) {
    List<ClientInterceptor> interceptors =
        new ArrayList<>(options.build().getInterceptorProvider().getInterceptors());
    interceptors.add(requests);
    return options.setInterceptorProvider(() -> interceptors);
  }

  /** The options of the sequences' client. */
  SpannerOptions sequenceOptions() {
    return sequenceSpanner.getOptions();
  }

  @Override
  public String description() {
    return database.emulator().toString();
  }

  @Override
  public Mono<Void> createTables() {
    return Mono.<Void>fromRunnable(
            () -> database.update(DDL, sequences.createTableDdl(Dialect.GOOGLE_STANDARD_SQL)))
        .subscribeOn(Schedulers.boundedElastic());
  }

  @Override
  public SequenceStore sequences() {
    return sequences;
  }

  @Override
  public Function<Flux<Order>, Flux<Order>> insert(int group) {
    return SpannerInserts.into(client, TABLE, SpannerOrders::write)
        .groupSize(group)
        .concurrency(CONCURRENT_COMMITS)
        .rows();
  }

  private static void write(Order order, Mutation.WriteBuilder row) {
    row.set("shard").to(order.shard());
    row.set("order_key").to(order.key());
    row.set("number").to(order.number());
    row.set("customer").to(order.customer());
    row.set("cents").to(order.cents());
  }

  /** Reads all rows in one read-only request, on a thread that may block, as the cursor blocks. */
  @Override
  public Flux<Order> readAll() {
    return Flux.<Order, ResultSet>generate(
            () -> client.singleUse().read(TABLE, KeySet.all(), COLUMNS),
            (rows, sink) -> {
              if (rows.next()) {
                sink.next(
                    new Order(
                        rows.getLong(0),
                        rows.getLong(1),
                        rows.getLong(2),
                        rows.getString(3),
                        rows.getLong(4)));
              } else {
                sink.complete();
              }
              return rows;
            },
            ResultSet::close)
        .subscribeOn(Schedulers.boundedElastic());
  }

  @Override
  public long sequenceRequests() {
    return requests.tagged("sequence=");
  }

  @Override
  public void close() {
    sequenceSpanner.close();
    spanner.close();
    database.close();
    database.emulator().stop();
  }
}
