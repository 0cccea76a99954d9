package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A driver that throws at a call. */
class ThrowingDriverTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  abstract static class Behaviour {

    private R2dbcDialect dialect;
    private WatchedConnections watched;
    private ConnectionPool pool;
    private R2dbcSequenceStore store;

    @BeforeEach
    void connect(R2dbcDatabase database) {
      dialect = R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
      R2dbcSequenceStore plain = R2dbcSequenceStore.create(database.connections());
      plain.createTable().then(plain.create("orders", 1)).block(LIMIT);
      watched = new WatchedConnections(database.connections());
      pool = Pools.of(1, watched);
      store = R2dbcSequenceStore.builder(pool).dialect(dialect).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"begin", "UPDATE", "SELECT", "commit", "rollback"})
    void leavesNoConnectionBehind(String call) {
      watched.atNext(event -> event.contains(call), work -> failing());
      String sequence = call.equals("rollback") ? "absent" : "orders";
      Throwable failure =
          catchThrowable(() -> TestTransactions.advance(pool, dialect, sequence).block(LIMIT));
      assertThat(String.valueOf(failure)).as(call).doesNotContain("Timeout on blocking");
      assertThat(store.reserve("orders", 1).block(LIMIT)).as(call).isNotNull();
      atRest();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "SELECT"})
    void holdsUpNoTransaction(String call) {
      TransactionalSequence<Connection> invoices = store.transactional("orders");
      Connection connection = pool.create().blockOptional(LIMIT).orElseThrow();
      Mono.from(connection.beginTransaction()).block(LIMIT);
      watched.atNext(event -> event.contains(call), work -> failing());
      Flux.range(0, 3)
          .flatMap(i -> invoices.next(connection).onErrorComplete())
          .collectList()
          .block(LIMIT);
      Mono.from(connection.rollbackTransaction()).onErrorComplete().block(LIMIT);
      Mono.from(connection.close()).block(LIMIT);
      watched.atNext(event -> false, work -> work);
      assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
      atRest();
    }

    private void atRest() {
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .untilAsserted(
              () -> {
                assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
                assertThat(store.hungConnections()).isZero();
              });
      pool.dispose();
    }

    private static Flux<Object> failing() {
      return Flux.from(
          subscriber -> {
            throw new IllegalStateException("for the test");
          });
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
