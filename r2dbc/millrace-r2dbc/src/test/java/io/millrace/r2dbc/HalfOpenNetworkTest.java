package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.databases.TcpProxy;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/**
 * A network that drops packets and tells nobody: what was connected stays connected and silent, and
 * new connections work again once a reservation has failed. {@code -Doutage.seconds=40} makes the
 * outage longer.
 */
class HalfOpenNetworkTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("outage.seconds", 0));

  /** Enough for a new connection and a reservation on it. */
  private static final Duration RESERVATION_TIMEOUT = Duration.ofSeconds(1);

  /** What a server that answers never needs; a dead connection takes it to the end. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Attempts under way when the network is mended, and one that has to find out. */
  private static final int MOST_FAILURES_AFTER = 4;

  abstract static class Behaviour {

    private R2dbcDatabase database;
    TcpProxy proxy;
    ConnectionFactory driver;

    @BeforeEach
    void connect(R2dbcDatabase created) {
      database = created;
      proxy = new TcpProxy("localhost:" + created.port());
      driver = created.through(proxy.port());
    }

    R2dbcSequenceStore store(ConnectionFactory source) {
      return R2dbcSequenceStore.create(source);
    }

    @AfterEach
    void disconnect() {
      proxy.close();
    }

    @Test
    void theDriverRecoversByItself() {
      recovers(driver, 8, MOST_FAILURES_AFTER, OUTAGE);
    }

    @Tag("long")
    @Test
    void theDriverRecoversByItselfAfterFortyFiveSeconds() {
      recovers(driver, 8, MOST_FAILURES_AFTER, Duration.ofSeconds(45));
    }

    private long openAtTheServer() {
      return Mono.usingWhen(
              Mono.from(database.connections().create()),
              connection ->
                  Flux.from(
                          connection
                              .createStatement(
                                  database.kind().isMySql()
                                      ? "SELECT count(*) FROM information_schema.processlist"
                                          + " WHERE db = DATABASE()"
                                      : "SELECT count(*) FROM pg_stat_activity"
                                          + " WHERE datname = current_database()")
                              .execute())
                      .flatMap(result -> result.map(row -> row.get(0, Long.class)))
                      .next(),
              Connection::close)
          .blockOptional(LIMIT)
          .orElseThrow();
    }

    void recovers(
        ConnectionFactory source, int connections, int mostFailuresAfter, Duration outage) {
      R2dbcSequenceStore store = store(source);
      store.createTable().then(store.create("orders", 1)).block(LIMIT);
      // as many connections as there may be are known and idle
      List<SequenceBlock> blocks =
          Flux.range(0, connections)
              .flatMap(i -> store.reserve("orders", 1))
              .collectList()
              .block(LIMIT);
      assertThat(blocks).hasSize(connections);
      SequenceGenerator ids =
          SequenceGenerator.builder(store, "orders")
              .blockSize(1)
              .reservationTimeout(RESERVATION_TIMEOUT)
              .acquireTimeout(Duration.ofMinutes(5))
              .backoff(Duration.ofMillis(50), Duration.ofMillis(100), 0, 1)
              .build();
      List<Long> values = new CopyOnWriteArrayList<>();
      AtomicInteger failures = new AtomicInteger();
      Disposable subscriber =
          Mono.defer(ids::next)
              .doOnError(failure -> failures.incrementAndGet())
              .retry()
              .doOnNext(values::add)
              .delayElement(Duration.ofMillis(5))
              .repeat()
              .subscribe();
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> values.size() > 5);

      proxy.fallSilent();
      LockSupport.parkNanos(outage.toNanos());
      Awaitility.await("failures in the silence")
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> failures.get() > 0);
      int before = values.size();
      int failed = failures.get();
      proxy.mend();

      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> values.size() > before + 5);
      assertThat(failures.get() - failed)
          .as("failures after the network was mended")
          .isLessThanOrEqualTo(mostFailuresAfter);
      assertThat(openAtTheServer())
          .as("connections at the server, those that it has not heard the end of included")
          .isLessThanOrEqualTo(2L * connections + 4);
      subscriber.dispose();
      assertThat(values).doesNotHaveDuplicates();
      ids.disposeLater().block(LIMIT);
    }
  }

  abstract static class Pooled extends Behaviour {

    private static ConnectionPool pool(int size, ConnectionFactory driver) {
      return new ConnectionPool(
          ConnectionPoolConfiguration.builder(driver)
              .initialSize(0)
              .maxSize(size)
              .maxCreateConnectionTime(RESERVATION_TIMEOUT)
              .build());
    }

    @Test
    void aPoolOfEightConnectionsRecoversByItself() {
      ConnectionPool pool = pool(8, driver);
      recovers(pool, 8, MOST_FAILURES_AFTER + 8, OUTAGE);
      isWhole(pool);
    }

    @Test
    void aPoolOfTwoConnectionsRecoversByItself() {
      ConnectionPool pool = pool(2, driver);
      recovers(pool, 2, MOST_FAILURES_AFTER + 2, OUTAGE);
      isWhole(pool);
    }

    /** One request has to find out, and none after it, even at once. */
    @Test
    void aRequestThatHangsOnADeadConnectionReplacesTheOtherDeadOnes() {
      R2dbcSequenceStore store = store(driver);
      store.createTable().then(store.create("orders", 1)).block(LIMIT);
      Flux.range(0, 8).flatMap(i -> store.reserve("orders", 1)).blockLast(LIMIT);
      assertThat(proxy.open()).as("connections that will be dead").isEqualTo(4);

      proxy.fallSilent();
      StepVerifier.create(store.reserve("orders", 1).timeout(RESERVATION_TIMEOUT))
          .expectError(TimeoutException.class)
          .verify(LIMIT);
      proxy.mend();
      for (int i = 0; i < 8; i++) {
        StepVerifier.create(store.reserve("orders", 1).timeout(PATIENCE))
            .expectNextCount(1)
            .expectComplete()
            .verify(LIMIT);
      }
      store.close().block(LIMIT);
    }

    private static void isWhole(ConnectionPool pool) {
      Pools.awaitReturns(pool);
      pool.dispose();
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Pooled {}

  /** A close of r2dbc-mysql waits for the statement that hangs, so pools stay without its place. */
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Pooled {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySqlThroughMariaDbsDriver extends Pooled {

    @BeforeEach
    void useTheOtherDriver(R2dbcDatabase created) {
      driver = MySqlServer.connections(DatabaseKind.MARIADB, created.name(), proxy.port());
    }

    @Override
    R2dbcSequenceStore store(ConnectionFactory source) {
      return R2dbcSequenceStore.builder(source).dialect(R2dbcDialect.MYSQL).build();
    }
  }
}
