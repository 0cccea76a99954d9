package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseServer;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.test.StepVerifier;

/** A server that fails and comes back under a generator. */
class ServerOutageTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private final DatabaseKind kind;
    private final R2dbcDialect dialect;
    private DatabaseServer server;

    Behaviour(DatabaseKind kind, R2dbcDialect dialect) {
      this.kind = kind;
      this.dialect = dialect;
    }

    @BeforeAll
    void start() {
      server = kind.startServer();
    }

    @AfterAll
    void stop() {
      server.close();
    }

    @Test
    void aGeneratorSurvivesAnOutageWithoutARestart() {
      survives(server, dialect, connections -> connections);
    }

    @Test
    void aGeneratorOnAPoolSurvivesAnOutageWithoutARestart() {
      survives(server, dialect, connections -> Pools.of(2, connections));
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {
    PostgreSql() {
      super(DatabaseKind.POSTGRESQL, R2dbcDialect.POSTGRESQL);
    }
  }

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {
    MySql() {
      super(DatabaseKind.MYSQL, R2dbcDialect.MYSQL);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {
    MariaDb() {
      super(DatabaseKind.MARIADB, R2dbcDialect.MARIADB);
    }
  }

  private static void survives(
      DatabaseServer server, R2dbcDialect dialect, UnaryOperator<ConnectionFactory> pooled) {
    try (R2dbcDatabase database = server.createDatabase()) {
      ConnectionFactory source = pooled.apply(database.connections());
      R2dbcSequenceStore store = R2dbcSequenceStore.create(source);
      store.createTable().then(store.create("orders", 1)).block(LIMIT);
      SequenceGenerator ids =
          SequenceGenerator.builder(store, "orders")
              .blockSize(10)
              .backoff(Duration.ofMillis(20), Duration.ofMillis(100), 0, 3)
              .build();
      List<Long> values = new ArrayList<>(ids.next(4).block(LIMIT));

      server.stop();
      values.addAll(ids.next(6).block(LIMIT));
      assertThat(values).as("what is buffered flows").hasSize(10);
      StepVerifier.create(ids.next())
          .expectErrorSatisfies(
              failure ->
                  assertThat(failure)
                      .isInstanceOfSatisfying(
                          SequenceReservationException.class,
                          reported ->
                              assertThat(reported.getCause())
                                  .satisfies(
                                      cause ->
                                          assertThat(dialect.failure(cause))
                                              .isEqualTo(ErrorCategory.CONNECTION_LOST))))
          .verify(LIMIT);

      server.startAgain();
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(10))
          .ignoreException(SequenceReservationException.class)
          .until(() -> values.add(ids.next().block(LIMIT)));
      values.addAll(ids.next(8).block(LIMIT));
      assertThat(values).hasSize(19).doesNotHaveDuplicates();
      ids.disposeLater().block(LIMIT);
      long next =
          store.state("orders").map(SequenceState::nextValue).blockOptional(LIMIT).orElseThrow();
      assertThat(values).isSubsetOf(LongStream.range(1, next).boxed().toList());
      if (source instanceof ConnectionPool pool) {
        pool.dispose();
      }
    }
  }
}
