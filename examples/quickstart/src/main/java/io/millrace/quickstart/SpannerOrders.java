package io.millrace.quickstart;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import io.millrace.SequenceStore;
import io.millrace.spanner.SequenceClientSettings;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
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
  private final DatabaseClient client;
  private final Spanner sequenceSpanner;
  private final SpannerSequenceStore sequences;

  SpannerOrders(SpannerEmulator emulator) {
    this.database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
    this.client = database.client();
    this.sequenceSpanner = emulator.connect(SequenceClientSettings::applyTo);
    this.sequences = SpannerSequenceStore.create(sequenceSpanner.getDatabaseClient(database.id()));
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
  public void close() {
    sequenceSpanner.close();
    database.close();
    database.emulator().stop();
  }
}
