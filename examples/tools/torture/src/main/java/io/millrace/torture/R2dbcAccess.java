package io.millrace.torture;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reaches a database through R2DBC. */
final class R2dbcAccess implements Access {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Longer than a transaction waits for the row; a statement that takes longer hangs. */
  private static final Duration TRANSACTION_LIMIT = Duration.ofSeconds(20);

  private final DatabaseKind kind;
  private final R2dbcSequenceStore store;
  private final TransactionalSequence<Connection> numbers;
  private final ConnectionPool pool;
  private final R2dbcTransactions transactions;

  R2dbcAccess(DatabaseKind kind, ConnectionFactory connections) {
    this.kind = kind;
    this.store = R2dbcSequenceStore.create(connections);
    this.numbers = store.transactional(Mode.TRANSACTIONAL.sequence());
    this.pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(connections)
                .initialSize(0)
                .maxSize(2 * Mode.LANES)
                .maxIdleTime(Duration.ofSeconds(30))
                .build());
    this.transactions = R2dbcTransactions.over(pool);
  }

  /** Creates the tables and the sequences. Blocks. */
  void create() {
    Stream.of(Mode.values())
        .filter(Mode::insertsRows)
        .forEach(
            mode ->
                run(
                    pool,
                    sql(
                        "CREATE TABLE \"%1$s\" (\"%2$s\" BIGINT PRIMARY KEY CHECK (\"%2$s\" >= 0),"
                            + " \"%3$s\" BIGINT)",
                        mode)));
    Mono<Void> sequences =
        Flux.fromArray(Mode.values())
            .filter(mode -> mode != Mode.NATIVE)
            .concatMap(mode -> store(mode).create(mode.sequence(), 1))
            .then();
    store.createTable().then(sequences).block(LIMIT);
  }

  /** Runs a statement on a new connection. Blocks. */
  static void run(ConnectionFactory connections, String statement) {
    Mono.usingWhen(
            connections.create(),
            connection ->
                Flux.from(connection.createStatement(statement).execute())
                    .concatMap(Result::getRowsUpdated)
                    .then(),
            Connection::close)
        .block(LIMIT);
  }

  @Override
  public SequenceStore store(Mode mode) {
    return store;
  }

  @Override
  public Mono<Long> insertRow(long source) {
    return transactions
        .readWrite(
            connection ->
                (source % 2 == 0 ? Mono.empty() : Mono.delay(Access.WORK))
                    .then(numbers.next(connection))
                    .flatMap(number -> insert(connection, source, number).thenReturn(number)))
        .timeout(TRANSACTION_LIMIT);
  }

  /** A statement on the table of a mode, its key and its number. */
  private String sql(String format, Mode mode) {
    return kind.quoted(String.format(format, mode.table(), SOURCE, NUMBER));
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

  @Override
  public RowWriter<Row> writer() {
    return Access.patience(R2dbcInserts.into(pool, Mode.WRITER.table(), R2dbcAccess::write))
        .key(SOURCE)
        .numbered(store.transactional(Mode.WRITER.sequence()), Row::withNumber)
        .writer();
  }

  private static void write(Row row, InsertRow columns) {
    columns.set(SOURCE, row.source()).set(NUMBER, row.number());
  }

  @Override
  public void readRows(Mode mode, BiConsumer<Long, Long> row) {
    Mono.usingWhen(
            pool.create(),
            connection ->
                Flux.from(
                        connection
                            .createStatement(sql("SELECT \"%2$s\", \"%3$s\" FROM \"%1$s\"", mode))
                            .execute())
                    .concatMap(result -> result.map((read, meta) -> pair(read, row)))
                    .then(),
            Connection::close)
        .block(LIMIT);
  }

  private static boolean pair(io.r2dbc.spi.Row read, BiConsumer<Long, Long> row) {
    Long source = read.get(0, Long.class);
    Long number = read.get(1, Long.class);
    if (source == null || number == null) {
      throw new IllegalStateException("a row without a number: " + source + ", " + number);
    }
    row.accept(source, number);
    return true;
  }

  @Override
  public void close() {
    store.close().then(pool.disposeLater()).onErrorComplete().block(LIMIT);
  }
}
