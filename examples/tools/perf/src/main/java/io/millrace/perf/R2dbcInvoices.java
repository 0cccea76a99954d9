package io.millrace.perf;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.tools.Durations;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Invoices on a PostgreSQL or MariaDB server that this process starts. Each table is used through a
 * separate pool.
 */
final class R2dbcInvoices implements InvoiceDatabase {

  private static final int CONNECTIONS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String SEQUENCE = "perf";

  private final R2dbcDatabase database;
  private final Duration roundTrip;
  private final @Nullable DelayProxy proxy;
  private final ConnectionFactory connections;

  /** Whether one statement moves the counter and returns it. */
  private final boolean returning;

  /**
   * Starts the server.
   *
   * @param roundTrip what a proxy adds to each round trip; 0 for no proxy
   * @throws IllegalStateException if it cannot be started
   */
  R2dbcInvoices(DatabaseKind kind, Duration roundTrip) {
    this.database = kind.create();
    this.roundTrip = roundTrip;
    this.proxy =
        roundTrip.isZero() ? null : new DelayProxy("localhost:" + database.port(), roundTrip);
    this.connections = proxy == null ? database.connections() : database.through(proxy.port());
    this.returning = kind == DatabaseKind.POSTGRESQL;
  }

  @Override
  public String description() {
    return database.kind()
        + " on this machine, which does not wait for its disk"
        + (proxy == null ? "" : ", " + Durations.text(roundTrip) + " away")
        + "; a pool of "
        + CONNECTIONS
        + " connections";
  }

  @Override
  public String byHand() {
    return "begin, "
        + (returning ? "UPDATE … RETURNING" : "SELECT … FOR UPDATE, UPDATE")
        + " of the counter, INSERT, commit";
  }

  @Override
  public int mostByHand() {
    return CONNECTIONS;
  }

  @Override
  public Invoices open(Invoices.Way way) {
    ConnectionPool pool = pool(connections);
    R2dbcSequenceStore store = R2dbcSequenceStore.create(pool);
    database.execute(
        "DROP TABLE IF EXISTS sequences",
        "DROP TABLE IF EXISTS invoices",
        "CREATE TABLE invoices (request BIGINT NOT NULL PRIMARY KEY, number BIGINT NOT NULL UNIQUE,"
            + " customer VARCHAR(100) NOT NULL)");
    pool.warmup().then(store.createTable()).then(store.create(SEQUENCE, 1)).block(PATIENCE);
    return way == Invoices.Way.WRITER
        ? withWriter(pool, store)
        : new Invoices(
            invoice -> inTransaction(pool, invoice), numbers(pool), () -> closePool(pool));
  }

  static ConnectionPool pool(ConnectionFactory connections) {
    return new ConnectionPool(
        ConnectionPoolConfiguration.builder(connections)
            .initialSize(CONNECTIONS)
            .maxSize(CONNECTIONS)
            .build());
  }

  private static void closePool(ConnectionPool pool) {
    pool.disposeLater().block(PATIENCE);
  }

  private static Invoices withWriter(ConnectionPool pool, R2dbcSequenceStore store) {
    RowWriter<Invoice> writer =
        R2dbcInserts.<Invoice>into(
                pool,
                Invoice.TABLE,
                (invoice, row) ->
                    row.set(Invoice.REQUEST, invoice.request())
                        .set(Invoice.NUMBER, invoice.number())
                        .set(Invoice.CUSTOMER, invoice.customer()))
            .key(Invoice.REQUEST)
            .numbered(store.transactional(SEQUENCE), Invoice::withNumber)
            .writer();
    return new Invoices(
        invoice -> writer.write(invoice).map(Invoice::number),
        numbers(pool),
        () -> {
          writer.disposeLater().block(PATIENCE);
          closePool(pool);
        });
  }

  private Mono<Long> inTransaction(ConnectionPool pool, Invoice invoice) {
    return Mono.usingWhen(
        pool.create(),
        connection ->
            Mono.from(connection.beginTransaction())
                .then(
                    Mono.defer(
                        () -> returning ? counted(connection) : countedUnderLock(connection)))
                .delayUntil(number -> inserted(connection, invoice.withNumber(number)))
                .delayUntil(number -> connection.commitTransaction()),
        Connection::close,
        (connection, failure) -> rolledBack(connection),
        R2dbcInvoices::rolledBack);
  }

  private static Mono<Void> rolledBack(Connection connection) {
    return Mono.from(connection.rollbackTransaction())
        .onErrorComplete()
        .then(Mono.defer(() -> Mono.from(connection.close())));
  }

  private static Mono<Long> counted(Connection connection) {
    return longs(
            connection
                .createStatement(
                    "UPDATE sequences SET next_value = next_value + 1 WHERE name = $1"
                        + " RETURNING next_value - 1")
                .bind(0, SEQUENCE))
        .single();
  }

  private static Mono<Long> countedUnderLock(Connection connection) {
    return longs(
            connection
                .createStatement("SELECT next_value FROM sequences WHERE name = ? FOR UPDATE")
                .bind(0, SEQUENCE))
        .single()
        .delayUntil(
            number ->
                written(
                    connection
                        .createStatement("UPDATE sequences SET next_value = ? WHERE name = ?")
                        .bind(0, number + 1)
                        .bind(1, SEQUENCE)));
  }

  private Mono<Long> inserted(Connection connection, Invoice invoice) {
    String markers = returning ? "$1, $2, $3" : "?, ?, ?";
    return written(
        connection
            .createStatement(
                "INSERT INTO invoices (request, number, customer) VALUES (" + markers + ")")
            .bind(0, invoice.request())
            .bind(1, invoice.number())
            .bind(2, invoice.customer()));
  }

  private static Mono<Long> written(Statement statement) {
    return Flux.from(statement.execute()).concatMap(Result::getRowsUpdated).reduce(0L, Long::sum);
  }

  private static Flux<Long> longs(Statement query) {
    return Flux.from(query.execute())
        .concatMap(
            result -> result.map(row -> Objects.requireNonNull(row.get(0, Long.class), "number")));
  }

  private static Mono<List<Long>> numbers(ConnectionPool pool) {
    return Mono.usingWhen(
        pool.create(),
        connection ->
            longs(connection.createStatement("SELECT number FROM invoices ORDER BY number"))
                .collectList(),
        Connection::close);
  }

  @Override
  public void close() {
    try (database) {
      if (proxy != null) {
        proxy.close();
      }
    }
  }
}
