package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The code of docs/migrating.md and of its section in docs/r2dbc.md. */
class MigratingTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  record Order(String customer, long id) {
    Order withId(long id) {
      return new Order(customer, id);
    }
  }

  /** The part of a page that a pattern's group finds. */
  private static String onPage(String page, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(Files.readString(Path.of("../../docs", page)))
        .results()
        .map(found -> found.group(1))
        .reduce((one, other) -> one + other)
        .orElseThrow();
  }

  /** The statement that moves a sequence past the ids in a table. */
  static String pastIds(
      DatabaseKind database, String table, String sequence, int increment, long largest)
      throws IOException {
    String name =
        switch (database) {
          case POSTGRESQL -> "PostgreSQL";
          case MARIADB -> "MariaDB";
          default -> "H2";
        };
    return onPage("migrating.md", "\n-- " + name + "[^\n]*\n([^;]*);\n")
        .replaceAll("\\b50\\b", String.valueOf(increment))
        .replaceAll("\\b1000\\b", String.valueOf(largest))
        .replaceAll("\\border_id\\b", sequence)
        .replaceAll("\\borders\\b", table);
  }

  abstract static class Behaviour {

    @Parameter R2dbcDatabase database;
    ConnectionFactory connectionFactory;
    ConnectionPool application;
    Flux<Order> orders = Flux.range(1, 120).map(i -> new Order("customer " + i, 0));

    @BeforeParameterizedClassInvocation
    void connect() {
      connectionFactory = database.connections();
      application = Pools.of(1, connectionFactory);
    }

    @AfterParameterizedClassInvocation
    void disconnect() {
      application.dispose();
    }

    void sql(String... statements) {
      for (String statement : statements) {
        database.execute(database.kind().quoted(statement));
      }
    }

    private Mono<Long> run(String sql) {
      return Mono.usingWhen(
          application.create(),
          connection ->
              Results.rowsUpdated(connection.createStatement(database.kind().quoted(sql))),
          Connection::close);
    }

    Mono<Order> insert(Order order) {
      return run("INSERT INTO \"orders\" (\"id\", \"customer\") VALUES ("
              + order.id()
              + ", '"
              + order.customer()
              + "')")
          .thenReturn(order);
    }

    Mono<Order> update(Order order) {
      return run("UPDATE \"orders\" SET \"number\" = "
              + order.id()
              + " WHERE \"customer\" = '"
              + order.customer()
              + "'")
          .thenReturn(order);
    }

    long count(String what) {
      return Mono.usingWhen(
              application.create(),
              connection ->
                  Results.firstValue(
                      connection.createStatement(
                          database.kind().quoted("SELECT COUNT(" + what + ") FROM \"orders\"")),
                      Long.class),
              Connection::close)
          .blockOptional(LIMIT)
          .orElseThrow();
    }
  }

  /** Databases with sequences. */
  @Nested
  @OnDatabases({POSTGRESQL, H2, MARIADB})
  class WithSequences extends Behaviour {

    @Test
    void theSequenceOfHibernateGivesTheIdsOfNewRows() {
      sql(
          "CREATE TABLE \"orders\" (\"id\" BIGINT PRIMARY KEY, \"customer\" VARCHAR(50))",
          "CREATE SEQUENCE IF NOT EXISTS \"order_id\" INCREMENT BY 50");

      SequenceGenerator ids =
          SequenceGenerator.builder(R2dbcNativeSequenceStore.create(connectionFactory), "order_id")
              .build();

      Flux<Order> saved =
          orders.transform(ids.assign(Order::withId)).concatMap(order -> insert(order));

      assertThat(saved.count().block(LIMIT)).isEqualTo(120);
      assertThat(count("DISTINCT \"id\"")).isEqualTo(120);
      assertThat(saved.count().block(LIMIT)).isEqualTo(120);
      ids.disposeLater().block(LIMIT);
    }

    @Test
    void aStoreOfExistingSequencesIsMadeInOneLine() {
      sql("CREATE SEQUENCE IF NOT EXISTS \"order_id\" INCREMENT BY 50");
      R2dbcNativeSequenceStore sequences = R2dbcNativeSequenceStore.create(connectionFactory);
      SequenceGenerator ids = SequenceGenerator.builder(sequences, "order_id").build();
      assertThat(ids.next(60).block(LIMIT)).hasSize(60).doesNotHaveDuplicates();
      ids.disposeLater().then(sequences.close()).block(LIMIT);
    }
  }

  /** Databases with sequences, whose statements have names that are not quoted. */
  @Nested
  @OnDatabases({POSTGRESQL, H2, MARIADB})
  class PastIds extends Behaviour {

    private static final AtomicInteger TABLES = new AtomicInteger();

    private final String table = "used_" + TABLES.incrementAndGet();
    private final String sequence = table + "_id";

    private R2dbcNativeSequenceStore store(boolean pooledLo) {
      return pooledLo
          ? R2dbcNativeSequenceStore.createPooledLo(connectionFactory)
          : R2dbcNativeSequenceStore.create(connectionFactory);
    }

    private List<Long> reserved(R2dbcNativeSequenceStore store, int size) {
      String name = database.kind() == DatabaseKind.H2 ? sequence.toUpperCase(ROOT) : sequence;
      SequenceBlock block = store.reserve(name, size).blockOptional(LIMIT).orElseThrow();
      return LongStream.range(0, size).map(block::valueAt).boxed().toList();
    }

    private void moveSequence(int increment, long largest) throws IOException {
      database.execute(
          "DELETE FROM " + table,
          "INSERT INTO " + table + " VALUES (" + largest + ")",
          pastIds(database.kind(), table, sequence, increment, largest));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "50, false", "1, true", "50, true"})
    void aSequenceThatWasMovedIssuesNoIdTwice(int increment, boolean pooledLo) throws IOException {
      database.execute(
          "DROP TABLE IF EXISTS " + table,
          "CREATE TABLE " + table + " (id BIGINT PRIMARY KEY)",
          "DROP SEQUENCE IF EXISTS " + sequence,
          "CREATE SEQUENCE " + sequence + " START WITH 1 INCREMENT BY " + increment);
      R2dbcNativeSequenceStore one = store(pooledLo);
      R2dbcNativeSequenceStore other = store(pooledLo);
      List<Long> issued = new ArrayList<>(reserved(one, 10));

      moveSequence(increment, 10); // the sequence is ahead, and the store has a rest
      issued.addAll(reserved(other, 100));
      issued.addAll(reserved(one, 100));
      assertThat(issued).doesNotHaveDuplicates();

      for (long largest : new long[] {9_949, 9_950, 9_951, 9_999, 10_000, 10_001, 10_050}) {
        largest += issued.size() * 100L;
        moveSequence(increment, largest);
        List<Long> after = reserved(store(pooledLo), 60);
        assertThat(after).allMatch(greaterThan(largest));
        issued.addAll(after);
      }
      assertThat(issued).doesNotHaveDuplicates();
      one.close().then(other.close()).block(LIMIT);
    }

    private static Predicate<Long> greaterThan(long largest) {
      return id -> id > largest;
    }
  }

  /** All databases. */
  @Nested
  @OnDatabases({H2, MYSQL, MARIADB})
  class FromIdentity extends Behaviour {

    @Test
    void aCounterContinuesBehindTheIdsOfAnIdentityColumn() throws IOException {
      sql(
          "CREATE TABLE \"orders\" (\"id\" BIGINT "
              + (database.kind().isMySql() ? "AUTO_INCREMENT" : "GENERATED BY DEFAULT AS IDENTITY")
              + " PRIMARY KEY, \"customer\" VARCHAR(50))",
          "INSERT INTO \"orders\" (\"customer\") VALUES ('Ada'), ('Bob')");

      R2dbcSequenceStore store = R2dbcSequenceStore.create(connectionFactory);

      Mono<Void> created = store.createTable().then(store.create("order_id", 1));

      created.block(LIMIT);
      database.execute(
          CountersBySqlTest.spelled(
              database.kind(), onPage("operating.md", "never back\n(UPDATE sequences [^;]*;)")));
      assertThat(store.state("order_id").block(LIMIT)).isEqualTo(new SequenceState("order_id", 3));
      assertThat(store.advanceTo("order_id", 10_000_000).block(LIMIT))
          .isEqualTo(new SequenceState("order_id", 10_000_000));
      store.close().block(LIMIT);
    }
  }

  /** What only PostgreSQL has. */
  @Nested
  @OnDatabases(POSTGRESQL)
  class PostgreSqlTables extends Behaviour {

    @Test
    void theSequenceOfAnIdentityColumnServesInsertsWithAndWithoutAnId() {
      sql(
          "CREATE TABLE \"orders\" (\"id\" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \"customer\" VARCHAR(50))",
          "ALTER TABLE \"orders\" ALTER COLUMN \"id\" SET GENERATED BY DEFAULT");
      String name = "public.orders_id_seq";
      SequenceGenerator ids =
          SequenceGenerator.builder(R2dbcNativeSequenceStore.create(connectionFactory), name)
              .build();
      sql("INSERT INTO \"orders\" (\"customer\") VALUES ('before')");
      assertThat(
              orders
                  .transform(ids.assign(Order::withId))
                  .concatMap(order -> insert(order))
                  .count()
                  .block(LIMIT))
          .isEqualTo(120);
      sql("INSERT INTO \"orders\" (\"customer\") VALUES ('after')");
      assertThat(count("DISTINCT \"id\"")).isEqualTo(122);
      ids.disposeLater().block(LIMIT);
      numbersAreAddedToRows();
    }

    private void numbersAreAddedToRows() {
      sql("CREATE SEQUENCE \"number_of_order\"", "ALTER TABLE \"orders\" ADD \"number\" BIGINT");
      SequenceGenerator ids =
          SequenceGenerator.builder(
                  R2dbcNativeSequenceStore.create(connectionFactory), "number_of_order")
              .build();
      Flux<Order> rowsWithoutNumber = orders;
      Mono<Long> numbered =
          rowsWithoutNumber
              .transform(ids.assign(Order::withId))
              .concatMap(order -> update(order))
              .count();
      assertThat(numbered.block(LIMIT)).isEqualTo(120);
      assertThat(count("DISTINCT \"number\"")).isEqualTo(120);
      ids.disposeLater().block(LIMIT);
    }
  }
}
