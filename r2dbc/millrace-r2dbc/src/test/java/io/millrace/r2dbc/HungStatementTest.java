package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Statements that do not end: the row is locked, or the driver never answers. */
class HungStatementTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration TIMEOUT = Duration.ofMillis(100);
  private static final int TRIES = 10;

  /** What a generator does whose reservations are not answered in time. */
  private static void tryOften(R2dbcSequenceStore store) {
    for (int i = 0; i < TRIES; i++) {
      StepVerifier.create(store.reserve("orders", 1).timeout(TIMEOUT))
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOfAny(TimeoutException.class, HungConnectionsException.class))
          .verify(LIMIT);
    }
  }

  abstract static class LockedRow {

    private R2dbcDatabase database;
    private R2dbcSequenceStore plain;

    @BeforeEach
    void create(R2dbcDatabase created) {
      database = created;
      plain = R2dbcSequenceStore.create(created.connections());
      plain.createTable().then(plain.create("orders", 1)).block(LIMIT);
    }

    /** The driver, with short waits for locks where only the server's limit ends them. */
    private ConnectionFactory connections() {
      DatabaseKind kind = database.kind();
      return kind.isMySql()
          ? MySqlServer.connections(
              kind, database.name(), MySqlServer.shared(kind).port(), "innodb_lock_wait_timeout=2")
          : database.connections();
    }

    private long open() {
      return count(
          database.kind().isMySql()
              ? "SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE()"
                  + " AND id <> CONNECTION_ID()"
              : "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                  + " AND pid <> pg_backend_pid()");
    }

    private long count(String query) {
      return Mono.usingWhen(
              Mono.from(database.connections().create()),
              connection ->
                  Flux.from(connection.createStatement(query).execute())
                      .flatMap(result -> result.map(row -> row.get(0, Long.class)))
                      .next(),
              Connection::close)
          .blockOptional(LIMIT)
          .orElseThrow();
    }

    private void holdsFewConnectionsWhileTheRowIsLocked(ConnectionFactory source) {
      R2dbcSequenceStore store = R2dbcSequenceStore.create(source);
      Connection holder =
          Mono.from(database.connections().create())
              .cast(Connection.class)
              .blockOptional(LIMIT)
              .orElseThrow();
      Mono.from(holder.beginTransaction()).block(LIMIT);
      Flux.from(holder.createStatement("UPDATE sequences SET next_value = next_value").execute())
          .flatMap(Result::getRowsUpdated)
          .blockLast(LIMIT);

      tryOften(store);
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAsserted(() -> assertThat(store.connections.hung.get()).as("hung").isZero());
      Mono.from(holder.rollbackTransaction()).then(Mono.from(holder.close())).block(LIMIT);
      assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    }

    @Test
    void aLockedRowLeavesNoConnectionsBehind() {
      long before = open();
      holdsFewConnectionsWhileTheRowIsLocked(connections());
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAsserted(() -> assertThat(open()).isLessThanOrEqualTo(before + 4));
    }

    @Test
    void aLockedRowLeavesAPoolWhole() {
      ConnectionPool pool = Pools.of(2, connections());
      holdsFewConnectionsWhileTheRowIsLocked(pool);
      Pools.awaitReturns(pool);
      pool.dispose();
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends LockedRow {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends LockedRow {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends LockedRow {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class Driver {

    private R2dbcDatabase database;

    @BeforeEach
    void create(R2dbcDatabase created) {
      database = created;
      R2dbcSequenceStore plain = R2dbcSequenceStore.create(created.connections());
      plain.createTable().then(plain.create("orders", 1)).block(LIMIT);
    }

    @Test
    void statementsThatNeverEndAreClosedAndTheStoreGoesOn() {
      WatchedConnections watched = new WatchedConnections(database.connections());
      R2dbcSequenceStore store =
          R2dbcSequenceStore.builder(watched).dialect(R2dbcDialect.POSTGRESQL).build();
      for (int i = 0; i < 2 * TRIES; i++) {
        watched.atNext(event -> event.startsWith("UPDATE"), work -> Flux.never());
        StepVerifier.create(store.reserve("orders", 1).timeout(TIMEOUT))
            .expectError(TimeoutException.class)
            .verify(LIMIT);
        assertThat(store.connections.hung.get()).isLessThanOrEqualTo(Connections.MOST_HUNG);
        assertThat(watched.open()).as("of a few pools").isLessThanOrEqualTo(12);
      }
      assertThat(watched.log().stream().filter("create"::equals)).hasSizeGreaterThan(4);
      watched.atNext(event -> false, work -> work);
      assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAsserted(
              () -> {
                assertThat(watched.open()).isZero();
                assertThat(store.connections.hung.get()).as("closes without an answer").isZero();
              });
    }

    /** A driver that neither ends a statement nor closes a connection. */
    @Test
    void aStoreOpensNoMoreConnectionsWhileTooManyDoNotClose() {
      AtomicBoolean deaf = new AtomicBoolean(true);
      List<Sinks.Empty<Object>> closings = new CopyOnWriteArrayList<>();
      WatchedConnections watched = new WatchedConnections(database.connections());
      R2dbcSequenceStore store =
          R2dbcSequenceStore.builder(deafToClose(watched, deaf, closings))
              .dialect(R2dbcDialect.POSTGRESQL)
              .build();
      AtomicInteger refused = new AtomicInteger();
      // a try may end before its statement
      for (int i = 0; i < TRIES || refused.get() == 0; i++) {
        watched.atNext(event -> event.startsWith("UPDATE"), work -> Flux.never());
        try {
          store.reserve("orders", 1).timeout(TIMEOUT).block(LIMIT);
        } catch (HungConnectionsException full) {
          refused.incrementAndGet();
          assertThat(full).hasMessageContaining("connections hang");
          assertThat(full).hasMessageContaining("connections hang");
        } catch (RuntimeException timeout) {
          assertThat(timeout).hasCauseInstanceOf(TimeoutException.class);
        }
      }
      assertThat(watched.open()).as("of a few pools").isLessThanOrEqualTo(12);
      assertThat(store.connections.hung.get()).isPositive();

      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAsserted(
              () -> {
                closings.forEach(Sinks.Empty::tryEmitEmpty);
                assertThat(store.connections.hung.get()).isZero();
              });
      deaf.set(false);
      watched.atNext(event -> false, work -> work);
      assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
    }
  }

  private static ConnectionFactory deafToClose(
      ConnectionFactory factory, AtomicBoolean deaf, List<Sinks.Empty<Object>> closings) {
    return new ConnectionFactory() {
      @Override
      public Publisher<? extends Connection> create() {
        return Mono.from(factory.create())
            .map(
                connection ->
                    Proxies.of(
                        Connection.class,
                        (self, method, arguments) -> {
                          if (method.getName().equals("close") && deaf.get()) {
                            Sinks.Empty<Object> closing = Sinks.empty();
                            closings.add(closing);
                            return closing.asMono().then(Mono.from(connection.close()));
                          }
                          return Proxies.call(connection, method, arguments);
                        }));
      }

      @Override
      public ConnectionFactoryMetadata getMetadata() {
        return factory.getMetadata();
      }
    };
  }
}
