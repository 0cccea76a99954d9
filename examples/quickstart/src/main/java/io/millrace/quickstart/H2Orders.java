package io.millrace.quickstart;

import io.millrace.SequenceStore;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Orders in an H2 database embedded in this process, reached through R2DBC like any other database.
 * The sequences and the pipeline each have a small pool of their own.
 */
final class H2Orders implements OrderDatabase {

  private static final String TABLE = "orders";
  private static final int CONCURRENT_COMMITS = 4;

  /** H2 stores names in upper case unless they are quoted; the pipeline quotes them. */
  private static final String DDL =
      """
      CREATE TABLE "orders" (
        "shard" BIGINT NOT NULL,
        "order_key" BIGINT NOT NULL,
        "number" BIGINT NOT NULL,
        "customer" VARCHAR(64) NOT NULL,
        "cents" BIGINT NOT NULL,
        PRIMARY KEY ("shard", "order_key")
      )""";

  private static final String ALL =
      """
      SELECT "shard", "order_key", "number", "customer", "cents"
      FROM "orders" ORDER BY "shard", "order_key"
      """;

  private final ConnectionFactory connections;
  private final R2dbcSequenceStore sequences;

  private H2Orders(ConnectionFactory connections) {
    this.connections = connections;
    this.sequences = R2dbcSequenceStore.create(connections);
  }

  /** Creates a database, which {@link #close} drops. */
  static H2Orders create() {
    return new H2Orders(
        new H2ConnectionFactory(
            H2ConnectionConfiguration.builder()
                .url("mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")
                .build()));
  }

  @Override
  public String description() {
    return "H2, embedded in this process, through R2DBC";
  }

  @Override
  public Mono<Void> createTables() {
    return sequences.createTable().then(run(DDL));
  }

  @Override
  public SequenceStore sequences() {
    return sequences;
  }

  @Override
  public Function<Flux<Order>, Flux<Order>> insert(int group) {
    return R2dbcInserts.into(connections, TABLE, H2Orders::write)
        .key("shard", "order_key")
        .groupSize(group)
        .concurrency(CONCURRENT_COMMITS)
        .rows();
  }

  private static void write(Order order, InsertRow row) {
    row.set("shard", order.shard());
    row.set("order_key", order.key());
    row.set("number", order.number());
    row.set("customer", order.customer());
    row.set("cents", order.cents());
  }

  /** H2 works on the calling thread, so a thread that may block calls it. */
  @Override
  public Flux<Order> readAll() {
    return Flux.usingWhen(
            Mono.defer(() -> Mono.from(connections.create())),
            connection ->
                Flux.from(connection.createStatement(ALL).execute())
                    .concatMap(result -> result.map(H2Orders::read)),
            Connection::close)
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static Order read(Readable row) {
    return new Order(
        get(row, 0, Long.class),
        get(row, 1, Long.class),
        get(row, 2, Long.class),
        get(row, 3, String.class),
        get(row, 4, Long.class));
  }

  private static <V> V get(Readable row, int column, Class<V> type) {
    return Objects.requireNonNull(row.get(column, type));
  }

  @Override
  public void close() {
    sequences.close().then(run("SHUTDOWN")).block();
  }

  private Mono<Void> run(String statement) {
    return Mono.usingWhen(
            Mono.defer(() -> Mono.from(connections.create())),
            connection ->
                Flux.from(connection.createStatement(statement).execute())
                    .concatMap(Result::getRowsUpdated)
                    .then(),
            Connection::close)
        .subscribeOn(Schedulers.boundedElastic());
  }
}
