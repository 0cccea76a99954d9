package io.millrace.torture;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reaches a database through R2DBC. */
final class R2dbcAccess implements Access {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Longer than a transaction waits for the row; a statement that takes longer hangs. */
  private static final Duration TRANSACTION_LIMIT = Duration.ofSeconds(20);

  private final DatabaseKind kind;
  private final R2dbcSequenceStore store;
  private final ConnectionPool pool;

  R2dbcAccess(DatabaseKind kind, ConnectionFactory connections) {
    this.kind = kind;
    this.store = R2dbcSequenceStore.create(connections);
    this.pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(connections)
                .initialSize(0)
                .maxSize(2 * Mode.LANES)
                .maxIdleTime(Duration.ofSeconds(30))
                .build());
  }

  /** Starts a server, and creates the tables and sequences. Blocks. */
  static Database start(DatabaseKind kind) {
    R2dbcDatabase database = kind.create();
    R2dbcAccess access = new R2dbcAccess(kind, connections(kind, database.port(), database.name()));
    for (Mode mode : Mode.values()) {
      if (mode.insertsRows()) {
        database.execute(
            access.sql(
                "CREATE TABLE \"%1$s\" (\"%2$s\" BIGINT PRIMARY KEY CHECK (\"%2$s\" >= 0),"
                    + " \"%3$s\" BIGINT)",
                mode));
      }
    }
    access
        .store
        .createTable()
        .thenMany(Flux.fromArray(Mode.values()))
        .concatMap(mode -> access.store.create(mode.sequence(), 1))
        .blockLast(LIMIT);
    return new Database(
        database.toString(),
        "localhost:" + database.port(),
        database.name(),
        access,
        database::close);
  }

  static ConnectionFactory connections(DatabaseKind kind, int port, String database) {
    return kind.isMySql()
        ? MySqlServer.connections(kind, database, port)
        : PostgresServer.connections(database, port);
  }

  @Override
  public SequenceStore store(Mode mode) {
    return store;
  }

  @Override
  public LongFunction<Mono<Long>> inserter() {
    R2dbcTransactions transactions = R2dbcTransactions.over(pool);
    TransactionalSequence<Connection> numbers = store.transactional(Mode.TRANSACTIONAL.sequence());
    return source ->
        transactions
            .readWrite(
                connection ->
                    (source % 2 == 0 ? Mono.empty() : Mono.delay(WORK))
                        .then(numbers.next(connection))
                        .delayUntil(number -> insert(connection, source, number)))
            .timeout(TRANSACTION_LIMIT);
  }

  private Mono<Void> insert(Connection connection, long source, long number) {
    String values = kind.isMySql() ? "?, ?" : "$1, $2";
    return Flux.from(
            connection
                .createStatement(
                    sql("INSERT INTO \"%s\" VALUES (" + values + ")", Mode.TRANSACTIONAL))
                .bind(0, source)
                .bind(1, number)
                .execute())
        .concatMap(Result::getRowsUpdated)
        .then();
  }

  /** A statement on the table of a mode, its source and its number. */
  private String sql(String format, Mode mode) {
    return kind.quoted(String.format(format, mode.table(), SOURCE, NUMBER));
  }

  @Override
  public RowWriter<Row> writer() {
    return Access.patience(
            R2dbcInserts.<Row>into(
                pool,
                Mode.WRITER.table(),
                (row, columns) -> columns.set(SOURCE, row.source()).set(NUMBER, row.number())))
        .key(SOURCE)
        .numbered(store.transactional(Mode.WRITER.sequence()), Row::withNumber)
        .writer();
  }

  @Override
  public Map<Long, Long> readRows(Mode mode) {
    return Mono.usingWhen(
            pool.create(),
            connection ->
                Flux.from(
                        connection
                            .createStatement(sql("SELECT \"%2$s\", \"%3$s\" FROM \"%1$s\"", mode))
                            .execute())
                    .concatMap(
                        result -> result.map(row -> Map.entry(number(row, 0), number(row, 1))))
                    .collectMap(Map.Entry::getKey, Map.Entry::getValue),
            Connection::close)
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  private static long number(Readable row, int column) {
    return Objects.requireNonNull(row.get(column, Long.class));
  }

  @Override
  public void close() {
    store.close().then(pool.disposeLater()).onErrorComplete().block(LIMIT);
  }
}
