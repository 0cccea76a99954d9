package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceState;
import io.millrace.databases.DatabaseServer;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.test.StepVerifier;

/** A server that fails and comes back under a generator. */
@OnDatabases(
    value = {POSTGRESQL, MARIADB},
    also = MYSQL)
class ServerOutageTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase unused;
  private DatabaseServer server;

  @BeforeParameterizedClassInvocation
  void start() {
    server = unused.kind().startServer();
  }

  @AfterParameterizedClassInvocation
  void stop() {
    server.close();
  }

  @Test
  void aGeneratorSurvivesAnOutageWithoutARestart() {
    survives(connections -> connections);
  }

  @Test
  void aGeneratorOnAPoolSurvivesAnOutageWithoutARestart() {
    survives(connections -> Pools.of(2, connections));
  }

  private void survives(UnaryOperator<ConnectionFactory> pooled) {
    try (R2dbcDatabase database = server.createDatabase()) {
      R2dbcDialect dialect =
          R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
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
