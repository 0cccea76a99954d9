package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

/**
 * A store whose connections lead to pgbouncer in transaction mode. Each statement outside a
 * transaction, and each transaction, may run on another connection to the server.
 */
@DatabaseTest(DatabaseKind.POSTGRESQL)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before each test
class PgbouncerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CLIENTS = 12;

  /** What makes prepared statements harmless. */
  enum Remedy {
    /** The driver gives its statements no names: {@code preparedStatementCacheQueries=0}. */
    UNNAMED,
    /** The server of the pool follows their names: {@code max_prepared_statements}. */
    TRACKED
  }

  @TempDir private Path folder;

  private R2dbcDatabase database;
  private R2dbcSequenceStore direct;
  private Pgbouncer pgbouncer;
  private String name = "";

  @BeforeAll
  void find(R2dbcDatabase created) {
    if (!Pgbouncer.isThere()) {
      String missing = "pgbouncer is not tested: it is not here; " + Pgbouncer.HOW_TO_GET;
      assertThat(Boolean.getBoolean("pgbouncer.required")).as(missing).isFalse();
      assumeTrue(false, missing);
    }
    database = created;
    direct = R2dbcSequenceStore.create(database.connections());
    direct.createTable().block(LIMIT);
    database.execute("CREATE TABLE lines (id VARCHAR(60) PRIMARY KEY, n BIGINT NOT NULL)");
  }

  @BeforeEach
  void create() {
    name = "s_" + UUID.randomUUID();
    direct.create(name, 1).block(LIMIT);
  }

  @AfterEach
  void stop() {
    if (pgbouncer != null) {
      pgbouncer.close();
    }
  }

  private ConnectionFactory through(Remedy remedy) throws IOException {
    if (remedy == Remedy.TRACKED) {
      assumeTrue(Pgbouncer.canTrackStatements(), "pgbouncer follows statements from 1.21 on");
    }
    return through(remedy == Remedy.TRACKED ? 100 : 0, remedy == Remedy.TRACKED ? -1 : 0);
  }

  private ConnectionFactory through(int trackedStatements, int cachedStatements)
      throws IOException {
    pgbouncer = Pgbouncer.start(folder, PostgresServer.shared().port(), trackedStatements);
    return new PostgresqlConnectionFactory(
        PostgresqlConnectionConfiguration.builder()
            .host("127.0.0.1")
            .port(pgbouncer.port())
            .username("postgres")
            .database(database.name())
            .preparedStatementCacheQueries(cachedStatements)
            .build());
  }

  private static List<Long> run(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  /** Reserves 1, 2, 3, 1, 2, 3 ... values, many at a time. */
  private static List<Long> reserved(SequenceStore store, String sequence) {
    return Flux.range(0, 300)
        .flatMap(i -> store.reserve(sequence, 1 + i % 3), 2 * CLIENTS)
        .concatMapIterable(PgbouncerTest::values)
        .sort()
        .collectList()
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  private static List<Long> values(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  private long count(String what) {
    return database.query("SELECT 1 FROM " + what, row -> 1).size();
  }

  @ParameterizedTest
  @EnumSource(Remedy.class)
  void reservationsAreUniqueAndLeaveNoGap(Remedy remedy) throws IOException {
    long before = count("pg_stat_activity WHERE datname = current_database()");
    ConnectionPool pool = Pools.of(CLIENTS, through(remedy));

    assertThat(reserved(R2dbcSequenceStore.create(pool), name)).isEqualTo(run(1, 600));

    assertThat(pool.getMetrics().orElseThrow().allocatedSize()).isEqualTo(CLIENTS);
    assertThat(count("pg_stat_activity WHERE datname = current_database()") - before)
        .isBetween(2L, (long) Pgbouncer.SERVERS);
    pool.dispose();
  }

  @ParameterizedTest
  @EnumSource(Remedy.class)
  void valuesOfANativeSequenceAreUnique(Remedy remedy) throws IOException {
    database.execute("CREATE SEQUENCE \"" + name + "\"");
    ConnectionPool pool = Pools.of(CLIENTS, through(remedy));

    assertThat(reserved(R2dbcNativeSequenceStore.create(pool), name)).isEqualTo(run(1, 600));

    pool.dispose();
  }

  @ParameterizedTest
  @EnumSource(Remedy.class)
  void rowsAreWrittenAsArraysWithNumbersWithoutGaps(Remedy remedy) throws IOException {
    WatchedConnections watched = new WatchedConnections(through(remedy));
    ConnectionPool pool = Pools.of(CLIENTS, watched);
    String test = name;
    RowWriter<Long> writer =
        R2dbcInserts.<Long>into(
                pool, "lines", (n, row) -> row.set("id", test + "/" + n).set("n", n))
            .concurrency(4)
            .numbered(direct.transactional(name), (unnumbered, number) -> number)
            .writer();

    assertThat(
            Flux.range(0, 300)
                .flatMap(i -> writer.write(0L), 100)
                .sort()
                .collectList()
                .block(LIMIT))
        .isEqualTo(run(1, 300));

    assertThat(count("lines WHERE id LIKE '" + name + "/%' AND n <= 300")).isEqualTo(300);
    assertThat(watched.log()).anyMatch(sql -> sql.contains("unnest("));
    assertThat(watched.failed()).isEmpty();
    writer.disposeLater().then(pool.disposeLater()).block(LIMIT);
  }
}
