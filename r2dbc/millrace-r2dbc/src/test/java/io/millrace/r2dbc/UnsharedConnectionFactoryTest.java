package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A pool over a driver that shares connections has connections of its own. */
class UnsharedConnectionFactoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static List<Connection> twoOfAPool(ConnectionFactory connections) {
    ConnectionPool pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(connections).initialSize(0).maxSize(2).build());
    try {
      List<Connection> both =
          Objects.requireNonNull(
              Flux.range(0, 2).concatMap(i -> pool.create()).collectList().block(PATIENCE));
      List<Connection> own = both.stream().map(UnsharedConnectionFactoryTest::ofDriver).toList();
      Flux.fromIterable(both).concatMap(Connection::close).blockLast(PATIENCE);
      return own;
    } finally {
      pool.disposeLater().block(PATIENCE);
    }
  }

  private static Connection ofDriver(Connection pooled) {
    Object connection = pooled;
    while (connection instanceof Wrapped<?> wrapper) {
      connection = Objects.requireNonNull(wrapper.unwrap());
    }
    return (Connection) connection;
  }

  abstract static class Spanner {

    @Test
    void connectionsOfAPoolAreDifferent(ConnectionFactory driver) {
      List<Connection> shared = twoOfAPool(driver);
      assertThat(shared.get(0)).as("the fault that this class mends").isSameAs(shared.get(1));

      List<Connection> own = twoOfAPool(UnsharedConnectionFactory.over(driver));
      assertThat(own.get(0)).isNotSameAs(own.get(1));
    }

    @Test
    void twoTransactionsAtATimeAreTwo(ConnectionFactory driver) {
      ConnectionPool pool =
          new ConnectionPool(
              ConnectionPoolConfiguration.builder(UnsharedConnectionFactory.over(driver))
                  .initialSize(0)
                  .maxSize(2)
                  .build());

      Mono<Void> both =
          Mono.usingWhen(
              pool.create(),
              first ->
                  Mono.usingWhen(
                      pool.create(),
                      second ->
                          Mono.from(first.beginTransaction())
                              .then(Mono.from(second.beginTransaction()))
                              .then(Mono.from(second.rollbackTransaction()))
                              .then(Mono.from(first.rollbackTransaction())),
                      Connection::close),
              Connection::close);

      both.then(pool.disposeLater()).block(PATIENCE);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class GoogleSql extends Spanner {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class PostgreSql extends Spanner {}

  private static final class Driver implements ConnectionFactory, Closeable {

    final AtomicInteger created = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public Publisher<? extends Connection> create() {
      created.incrementAndGet();
      return Mono.empty();
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return () -> "a driver";
    }

    @Override
    public Publisher<Void> close() {
      return Mono.fromRunnable(closed::incrementAndGet);
    }
  }

  private static Mono<Void> rollbackThatFailsWith(Throwable failure) {
    Connection connection =
        Proxies.of(
            Connection.class,
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("rollbackTransaction");
              return Mono.error(failure);
            });
    ConnectionFactory spanner =
        Proxies.of(
            ConnectionFactory.class,
            (self, method, arguments) ->
                method.getName().equals("create")
                    ? Mono.just(connection)
                    : (ConnectionFactoryMetadata) () -> "Cloud Spanner");
    return Mono.from(UnsharedConnectionFactory.over(spanner).create())
        .flatMap(lenient -> Mono.from(lenient.rollbackTransaction()));
  }

  @Test
  void overSpannerARollbackCompletesIfTheTransactionHasEndedAndElseReportsItsFailure() {
    StepVerifier.create(rollbackThatFailsWith(new IllegalStateException("not in progress")))
        .verifyComplete();
    IOException lost = new IOException("for the test");
    StepVerifier.create(rollbackThatFailsWith(lost))
        .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(lost))
        .verify(PATIENCE);
  }

  @Test
  void theDriverIsAskedAtEachSubscriptionAndNotBefore() {
    Driver driver = new Driver();
    Publisher<? extends Connection> connections = UnsharedConnectionFactory.over(driver).create();
    assertThat(driver.created).hasValue(0);

    Mono.from(connections).block(PATIENCE);
    Mono.from(connections).block(PATIENCE);

    assertThat(driver.created).hasValue(2);
  }

  @Test
  void theDriverIsSeenThroughItAndClosedWithIt() {
    Driver driver = new Driver();
    UnsharedConnectionFactory factory = UnsharedConnectionFactory.over(driver);

    assertThat(factory.getMetadata().getName()).isEqualTo("a driver");
    assertThat(factory.unwrap()).isSameAs(driver);
    Publisher<Void> closing = factory.close();
    assertThat(driver.closed).hasValue(0);
    Mono.from(closing).block(PATIENCE);
    assertThat(driver.closed).hasValue(1);
  }
}
