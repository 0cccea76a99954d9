package io.millrace.quickstart;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.spi.v1.SpannerInterceptorProvider;
import io.millrace.SequenceStore;
import io.millrace.emulator.EmulatorDatabase;
import io.millrace.emulator.SpannerEmulator;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransactions;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Orders in a database of their own on a Spanner emulator. */
final class SpannerOrders implements OrderDatabase {

  private static final String TABLE = "orders";
  private static final List<String> COLUMNS = List.of("order_key", "number", "customer", "cents");
  private static final String DDL =
      """
      CREATE TABLE orders (
        order_key INT64 NOT NULL,
        number INT64 NOT NULL,
        customer STRING(64) NOT NULL,
        cents INT64 NOT NULL
      ) PRIMARY KEY (order_key)""";

  private final EmulatorDatabase database;
  private final Spanner spanner;
  private final DatabaseClient client;
  private final RequestCounter requests = new RequestCounter();
  private final SpannerSequenceStore sequences;

  SpannerOrders(SpannerEmulator emulator) {
    this.database = emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL);
    this.spanner =
        emulator.connect(
            options ->
                options.setInterceptorProvider(
                    SpannerInterceptorProvider.createDefault().with(requests)));
    this.client = spanner.getDatabaseClient(database.id());
    this.sequences = SpannerSequenceStore.create(client);
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
  public Mono<Integer> insert(List<Order> group) {
    List<Mutation> rows = group.stream().map(SpannerOrders::row).toList();
    return SpannerTransactions.readWrite(
            client, transaction -> Mono.fromRunnable(() -> transaction.buffer(rows)))
        .thenReturn(group.size());
  }

  private static Mutation row(Order order) {
    return Mutation.newInsertBuilder(TABLE)
        .set("order_key")
        .to(order.key())
        .set("number")
        .to(order.number())
        .set("customer")
        .to(order.customer())
        .set("cents")
        .to(order.cents())
        .build();
  }

  @Override
  public Flux<Order> readAll() {
    return SpannerTransactions.readWrite(
            client,
            transaction ->
                transaction
                    .read(TABLE, KeySet.all(), COLUMNS)
                    .map(
                        row ->
                            new Order(
                                row.getLong(0), row.getLong(1), row.getString(2), row.getLong(3)))
                    .collectList())
        .flatMapIterable(rows -> rows);
  }

  @Override
  public long sequenceRequests() {
    return requests.tagged("sequence=");
  }

  @Override
  public void close() {
    spanner.close();
    database.close();
    database.emulator().stop();
  }
}
