package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceReservationException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseServer;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The old server takes no writes any more, and new connections lead to another server. */
class FailoverTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long FIRST_OF_NEW = 1_000_000;

  /** A name that leads to one server and then to another. */
  private static final class Switched implements ConnectionFactory, Wrapped<ConnectionFactory> {

    private volatile ConnectionFactory target;

    Switched(ConnectionFactory first) {
      target = first;
    }

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.defer(() -> Mono.from(target.create()));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return target.getMetadata();
    }

    @Override
    public ConnectionFactory unwrap() {
      return target;
    }
  }

  /** A new database of the old server, and the name that leads to it. */
  private record Servers(DatabaseServer old, R2dbcDatabase oldDatabase, Switched connections) {

    static Servers start(DatabaseServer old) {
      R2dbcDatabase database = old.createDatabase();
      DatabaseKind kind = database.kind();
      ConnectionFactory source = database.connections();
      if (kind.isMySql()) { // a user whom the setting concerns
        String name = database.name();
        database.execute(
            "CREATE USER IF NOT EXISTS shop@'%'", "GRANT ALL ON " + name + ".* TO shop@'%'");
        source = MySqlServer.connectionsOf("shop", kind, name, old.port());
      }
      R2dbcSequenceStore store = R2dbcSequenceStore.create(source);
      store.createTable().then(store.create("orders", 1)).then(store.close()).block(LIMIT);
      return new Servers(old, database, new Switched(source));
    }

    void failOverTo(ConnectionFactory server) {
      R2dbcSequenceStore store = R2dbcSequenceStore.create(server);
      store.createTable().then(store.create("orders", FIRST_OF_NEW)).block(LIMIT);
      connections.target = server;
      takeNoWrites();
    }

    void takeNoWrites() {
      oldDatabase.execute(
          oldDatabase.kind().isMySql()
              ? new String[] {"SET GLOBAL read_only = 1"}
              : new String[] {
                "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"
              });
    }
  }

  /** Until a reservation comes from the new server; how many failed before. */
  private static int failuresUntilNew(R2dbcSequenceStore store) {
    AtomicInteger failures = new AtomicInteger();
    SequenceBlock block =
        store
            .reserve("orders", 1)
            .doOnError(failure -> failures.incrementAndGet())
            .repeat() // the old server takes a moment to learn of its setting
            .retry()
            .filter(reserved -> reserved.first() >= FIRST_OF_NEW)
            .next()
            .block(LIMIT);
    assertThat(block).isNotNull();
    return failures.get();
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private final DatabaseKind kind;
    private DatabaseServer old;
    private R2dbcDatabase any;

    Behaviour(DatabaseKind kind) {
      this.kind = kind;
    }

    @BeforeAll
    void start() {
      old = kind.startServer();
      any = old.createDatabase();
    }

    @AfterEach
    void takeWritesAgain() {
      any.execute(
          kind.isMySql()
              ? new String[] {"SET GLOBAL read_only = 0"}
              : new String[] {
                "ALTER SYSTEM RESET default_transaction_read_only", "SELECT pg_reload_conf()"
              });
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .ignoreExceptions() // until the server has noticed
          .untilAsserted(
              () -> any.execute("CREATE TABLE IF NOT EXISTS probe (a INT)", "DROP TABLE probe"));
    }

    @AfterAll
    void stop() {
      old.close();
    }

    @Test
    void aGeneratorGoesOnWithinOneRoundOfItsAttempts(ConnectionFactory newServer) {
      Servers servers = Servers.start(old);
      R2dbcSequenceStore store = R2dbcSequenceStore.create(servers.connections());
      Flux.range(0, 4).flatMap(i -> store.reserve("orders", 1)).blockLast(LIMIT);
      SequenceGenerator ids = SequenceGenerator.builder(store, "orders").blockSize(1).build();
      servers.failOverTo(newServer);
      assertThat(ids.next().repeat().filter(value -> value >= FIRST_OF_NEW).next().block(LIMIT))
          .isNotNull();
      ids.disposeLater().then(store.close()).block(LIMIT);
    }

    @Test
    void asManyReservationsFailAsAPoolOfTheApplicationHasConnections(ConnectionFactory newServer) {
      Servers servers = Servers.start(old);
      ConnectionPool pool =
          new ConnectionPool(ConnectionPoolConfiguration.builder(servers.connections()).build());
      int connections = pool.warmup().blockOptional(LIMIT).orElseThrow();
      R2dbcSequenceStore store = R2dbcSequenceStore.create(pool);
      servers.failOverTo(newServer);
      assertThat(failuresUntilNew(store)).isBetween(1, connections);
      assertThat(store.reserve("orders", 1).blockOptional(LIMIT).orElseThrow().first())
          .isGreaterThan(FIRST_OF_NEW);
      pool.disposeLater().block(LIMIT);
    }

    @Test
    void oneReservationFailsHoweverManyConnectionsAStoreHas(ConnectionFactory newServer) {
      Servers servers = Servers.start(old);
      R2dbcSequenceStore store = R2dbcSequenceStore.create(servers.connections());
      Flux.range(0, 4).flatMap(i -> store.reserve("orders", 1)).blockLast(LIMIT);
      servers.failOverTo(newServer);
      assertThat(failuresUntilNew(store)).isEqualTo(1);
      store.close().block(LIMIT);
    }

    @Test
    void theErrorSaysThatTheServerTakesNoWritesAndPasses() {
      Servers servers = Servers.start(old);
      R2dbcSequenceStore store = R2dbcSequenceStore.create(servers.connections());
      SequenceGenerator ids =
          SequenceGenerator.builder(store, "orders")
              .blockSize(1)
              .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 2)
              .build();
      servers.takeNoWrites();
      assertThat(catchThrowable(() -> ids.next().repeat().blockLast(LIMIT)))
          .isInstanceOf(SequenceReservationException.class)
          .hasMessageContaining("'orders'")
          .hasMessageContaining("read-only");
      takeWritesAgain();
      assertThat(ids.next().retry().block(LIMIT)).isNotNull();
      ids.disposeLater().then(store.close()).block(LIMIT);
    }

    @Test
    void anInsertPipelineOverAPoolWritesToTheNewServer(ConnectionFactory newServer) {
      Servers servers = Servers.start(old);
      String table = kind.quoted("CREATE TABLE \"sold\" (\"id\" BIGINT PRIMARY KEY)");
      servers.oldDatabase().execute(table);
      run(newServer, table);
      ConnectionPool pool =
          new ConnectionPool(ConnectionPoolConfiguration.builder(servers.connections()).build());
      R2dbcInserts<Long> inserts =
          R2dbcInserts.<Long>into(pool, "sold", (id, row) -> row.set("id", id))
              .key("id")
              .groupSize(1);
      Flux.range(0, 3).map(Long::valueOf).transform(inserts.rows()).blockLast(LIMIT);
      servers.failOverTo(newServer);
      assertThat(
              Flux.range(100, 20).map(Long::valueOf).transform(inserts.rows()).count().block(LIMIT))
          .isEqualTo(20);
      pool.disposeLater().block(LIMIT);
    }

    private static void run(ConnectionFactory connections, String sql) {
      Mono.usingWhen(
              Mono.from(connections.create()),
              connection ->
                  Flux.from(connection.createStatement(sql).execute())
                      .concatMap(Result::getRowsUpdated)
                      .then(),
              Connection::close)
          .block(LIMIT);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {
    PostgreSql() {
      super(DatabaseKind.POSTGRESQL);
    }
  }

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {
    MySql() {
      super(DatabaseKind.MYSQL);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {
    MariaDb() {
      super(DatabaseKind.MARIADB);
    }
  }
}
