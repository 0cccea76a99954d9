package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceTimeoutException;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A pool of one connection, which an application's transaction holds while it waits for an id. */
@OnDatabases(
    value = {H2, POSTGRESQL, MARIADB},
    also = MYSQL)
class SmallPoolTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;
  private R2dbcDialect dialect;

  @BeforeParameterizedClassInvocation
  void connect() {
    dialect = R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.createTable().then(store.create("orders", 1)).block(LIMIT);
  }

  private SequenceGenerator ids(ConnectionFactory source, Duration reservation, Duration acquire) {
    return SequenceGenerator.builder(
            R2dbcSequenceStore.builder(source).dialect(dialect).build(), "orders")
        .blockSize(10)
        .reservationTimeout(reservation)
        .acquireTimeout(acquire)
        .backoff(Duration.ofMillis(10), Duration.ofMillis(10), 0, 3)
        .build();
  }

  /** What an application does that waits for an id inside its transaction. */
  private static Mono<Long> save(ConnectionPool pool, SequenceGenerator ids) {
    return Mono.usingWhen(
        pool.create(),
        connection ->
            Mono.from(connection.beginTransaction())
                .then(ids.next())
                .flatMap(id -> Mono.from(connection.commitTransaction()).thenReturn(id)),
        Connection::close,
        (connection, failure) ->
            Mono.from(connection.rollbackTransaction()).then(Mono.from(connection.close())),
        Connection::close);
  }

  private void failsAndThePoolRecovers(Duration reservationTimeout, Duration acquireTimeout) {
    ConnectionPool pool = Pools.of(1, database.connections());
    SequenceGenerator ids = ids(pool, reservationTimeout, acquireTimeout);
    StepVerifier.create(save(pool, ids))
        .expectErrorSatisfies(
            failure -> {
              Throwable timeout =
                  failure instanceof SequenceTimeoutException ? failure : failure.getCause();
              assertThat(timeout)
                  .isInstanceOf(SequenceTimeoutException.class)
                  .hasMessageContaining("orders")
                  .hasMessageContaining("separate connections");
            })
        .verify(LIMIT);
    ids.disposeLater().block(LIMIT);
    Pools.awaitReturns(pool);
    SequenceGenerator outside = ids(pool, Duration.ofSeconds(30), Duration.ofSeconds(30));
    assertThat(outside.next().block(LIMIT)).as("outside a transaction").isPositive();
    assertThat(save(pool, outside).block(LIMIT)).as("from a warm buffer").isPositive();
    outside.disposeLater().block(LIMIT);
    pool.dispose();
  }

  @Test
  void theWaitEndsWithTheReservationTimeout() {
    failsAndThePoolRecovers(Duration.ofMillis(100), Duration.ofSeconds(30));
  }

  @Test
  void theWaitEndsWithTheAcquireTimeout() {
    failsAndThePoolRecovers(Duration.ofSeconds(30), Duration.ofMillis(200));
  }

  @Test
  void manyTransactionsThatWaitForAnIdOnTheOnlyConnectionSucceedIfTheStoreHasItsOwn() {
    ConnectionPool pool = Pools.of(1, database.connections());
    SequenceGenerator ids = ids(database.connections(), LIMIT, LIMIT);
    assertThat(Flux.range(0, 300).flatMap(i -> save(pool, ids), 300).collectList().block(LIMIT))
        .hasSize(300)
        .doesNotHaveDuplicates();
    ids.disposeLater().block(LIMIT);
    pool.dispose();
  }
}
