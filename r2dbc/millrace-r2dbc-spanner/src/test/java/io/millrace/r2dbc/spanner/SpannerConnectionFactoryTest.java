package io.millrace.r2dbc.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Closeable;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcNonTransientException;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.Wrapped;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class SpannerConnectionFactoryTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static List<Connection> twoOfAPool(ConnectionFactory connections) {
    ConnectionPool pool = Pools.of(2, connections);
    try {
      List<Connection> both =
          Objects.requireNonNull(
              Flux.range(0, 2).concatMap(i -> pool.create()).collectList().block(LIMIT));
      List<Connection> own = both.stream().map(SpannerConnectionFactoryTest::ofDriver).toList();
      Flux.fromIterable(both).concatMap(Connection::close).blockLast(LIMIT);
      return own;
    } finally {
      pool.disposeLater().block(LIMIT);
    }
  }

  private static Connection ofDriver(Connection pooled) {
    Object connection = pooled;
    while (connection instanceof Wrapped<?> wrapper) {
      connection = Objects.requireNonNull(wrapper.unwrap());
    }
    return (Connection) connection;
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private ConnectionFactory connections;

    @BeforeAll
    void createTable(R2dbcDatabase database) {
      database.execute(
          database.kind() == DatabaseKind.SPANNER
              ? "CREATE TABLE things (id INT64) PRIMARY KEY (id)"
              : "CREATE TABLE things (id BIGINT PRIMARY KEY)",
          "INSERT INTO things (id) VALUES (1), (2), (3)");
      connections = SpannerConnectionFactory.over(database.connections());
    }

    /** Runs a body in a transaction, and rolls it back. */
    private <T> T inTransaction(Function<Connection, Mono<T>> body) {
      return Mono.usingWhen(
              connections.create(),
              connection ->
                  Mono.from(connection.beginTransaction())
                      .then(Mono.defer(() -> body.apply(connection)))
                      .delayUntil(result -> connection.rollbackTransaction()),
              Connection::close)
          .blockOptional(LIMIT)
          .orElseThrow();
    }

    private static Flux<Long> ids(Connection connection) {
      return Flux.from(connection.createStatement("SELECT id FROM things ORDER BY id").execute())
          .concatMap(result -> result.map((row, columns) -> row.get(0, Long.class)));
    }

    private static Flux<Long> refused(Connection connection) {
      return Flux.from(connection.createStatement("SELECT id FROM nowhere").execute())
          .concatMap(result -> result.map((row, columns) -> row.get(0, Long.class)));
    }

    private static Mono<Throwable> failure(Publisher<?> work) {
      return Flux.from(work)
          .then(Mono.<Throwable>error(() -> new AssertionError("no failure")))
          .onErrorResume(Mono::just);
    }

    @Test
    void connectionsOfAPoolAreDifferent(ConnectionFactory driver) {
      List<Connection> shared = twoOfAPool(driver);
      assertThat(shared.get(0)).as("the driver's fault").isSameAs(shared.get(1));

      List<Connection> own = twoOfAPool(connections);
      assertThat(own.get(0)).isNotSameAs(own.get(1));
    }

    @Test
    void aTransactionEndsAutocommitUntilItIsOver() {
      List<Boolean> states =
          inTransaction(
              connection ->
                  Flux.concat(
                          Mono.fromSupplier(connection::isAutoCommit),
                          Mono.from(connection.commitTransaction())
                              .then(Mono.fromSupplier(connection::isAutoCommit)),
                          Mono.from(connection.beginTransaction())
                              .thenMany(ids(connection))
                              .then(Mono.fromSupplier(connection::isAutoCommit)))
                      .collectList());
      assertThat(states).containsExactly(false, true, false);
    }

    @Test
    void afterAFailedStatementFurtherStatementsFailAtOnce() {
      List<Throwable> failures =
          inTransaction(
              connection ->
                  Flux.concat(
                          failure(refused(connection)),
                          failure(ids(connection)),
                          failure(ids(connection)))
                      .collectList());
      assertThat(failures.get(0)).hasMessageContaining("nowhere");
      assertThat(failures.subList(1, 3))
          .allSatisfy(
              failure ->
                  assertThat(failure)
                      .isInstanceOf(R2dbcNonTransientException.class)
                      .hasMessageContaining("roll it back")
                      .hasRootCauseMessage(rootMessage(failures.get(0))));
    }

    private static String rootMessage(Throwable failure) {
      Throwable root = failure;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      return String.valueOf(root.getMessage());
    }

    @Test
    void aStatementThatWaitsForOneThatFailsAlsoFails() {
      List<Throwable> failures =
          inTransaction(
              connection ->
                  Flux.mergeSequential(failure(refused(connection)), failure(ids(connection)))
                      .collectList());
      assertThat(failures.get(0)).hasMessageContaining("nowhere");
      assertThat(failures.get(1)).hasMessageContaining("roll it back");
    }

    @Test
    void theNextTransactionOfTheConnectionWorks() {
      List<Long> ids =
          inTransaction(
              connection ->
                  failure(refused(connection))
                      .then(Mono.from(connection.rollbackTransaction()))
                      .then(Mono.from(connection.beginTransaction()))
                      .thenMany(ids(connection))
                      .collectList());
      assertThat(ids).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aQueryThatIsCancelledAfterItsFirstRowDoesNotEndTheTransaction() {
      List<Long> ids =
          inTransaction(
              connection -> ids(connection).next().thenMany(ids(connection)).collectList());
      assertThat(ids).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aQueryThatFailsAfterItsCancelEndsTheTransaction() {
      Throwable failure =
          inTransaction(
              connection ->
                  Flux.from(
                          connection.createStatement("SELECT id FROM things ORDER BY id").execute())
                      .concatMap(result -> result.map(Behaviour::firstIdOnly))
                      .next()
                      .then(failure(ids(connection))));
      assertThat(failure).hasMessageContaining("roll it back").hasRootCauseMessage("on purpose");
    }

    private static Long firstIdOnly(Readable row) {
      Long id = Objects.requireNonNull(row.get(0, Long.class));
      if (id > 1) {
        throw new IllegalStateException("on purpose");
      }
      return id;
    }

    @Test
    void anUpdateThatIsCancelledDoesNotEndTheTransaction() {
      List<Long> ids =
          inTransaction(
              connection ->
                  Mono.fromRunnable(
                          () ->
                              Flux.from(
                                      connection
                                          .createStatement("DELETE FROM things WHERE id = 3")
                                          .execute())
                                  .subscribe()
                                  .dispose())
                      .thenMany(ids(connection))
                      .collectList());
      assertThat(ids).containsExactly(1L, 2L);
    }

    @Test
    void aBatchThatFailsEndsTheTransaction() {
      List<Throwable> failures =
          inTransaction(
              connection ->
                  Flux.from(
                          connection.createBatch().add("DELETE FROM things WHERE id = 3").execute())
                      .concatMap(Result::getRowsUpdated)
                      .thenMany(
                          Flux.concat(
                              failure(
                                  connection
                                      .createBatch()
                                      .add("DELETE FROM nowhere WHERE true")
                                      .execute()),
                              failure(ids(connection))))
                      .collectList());
      assertThat(failures.get(0)).hasMessageContaining("nowhere");
      assertThat(failures.get(1)).hasMessageContaining("roll it back");
    }

    @Test
    void aChangeOfAutocommitEndsTheTransaction() {
      List<Boolean> states =
          inTransaction(
              connection ->
                  Flux.concat(
                          Mono.from(connection.setAutoCommit(true))
                              .then(Mono.fromSupplier(connection::isAutoCommit)),
                          Mono.from(connection.setAutoCommit(false))
                              .then(Mono.from(connection.setAutoCommit(true)))
                              .then(Mono.fromSupplier(connection::isAutoCommit)))
                      .collectList());
      assertThat(states).containsExactly(false, true);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class GoogleSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class PostgreSql extends Behaviour {}

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

  /** A connection or a statement of a driver, whose methods all return the same. */
  private static <T> T returning(Class<T> type, Object value) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> value));
  }

  /** A connection whose rollback fails. */
  private static Connection failing(Throwable failure) {
    return new SpannerConnection(returning(Connection.class, Mono.error(failure)));
  }

  @Test
  void aRollbackCompletesIfTheTransactionHasEndedAndElseReportsItsFailure() {
    StepVerifier.create(failing(new IllegalStateException("not in progress")).rollbackTransaction())
        .verifyComplete();
    IOException lost = new IOException("for the test");
    StepVerifier.create(failing(lost).rollbackTransaction())
        .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(lost))
        .verify(LIMIT);
  }

  @ParameterizedTest
  @EnumSource(names = {"ABORTED", "UNAVAILABLE", "RESOURCE_EXHAUSTED"})
  void aTransientFailureIsAlsoTheFailureOfTheStatementsAfterIt(ErrorCode code) {
    SpannerTransactionState transaction = new SpannerTransactionState(false);
    Throwable first = SpannerExceptionFactory.newSpannerException(code, "again");
    StepVerifier.create(transaction.guarded(Mono.error(first)))
        .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(first))
        .verify(LIMIT);
    StepVerifier.create(transaction.guarded(Flux.never()))
        .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(first))
        .verify(LIMIT);
  }

  @Test
  void aCancelOutsideATransactionDoesNotInterruptTheDriver() throws InterruptedException {
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Mono<Result> sent =
        Mono.fromRunnable(
            () -> {
              sending.countDown();
              try {
                answer.await();
                interrupted.complete(false);
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    Connection connection =
        new SpannerConnection(returning(Connection.class, returning(Statement.class, sent)));
    Disposable query = Flux.from(connection.createStatement("SELECT 1").execute()).subscribe();
    sending.await();
    query.dispose();
    answer.countDown();
    assertThat(interrupted).succeedsWithin(LIMIT).isEqualTo(false);
  }

  @Test
  void theFactoryAsksItsDriverAtEachSubscriptionAndClosesIt() {
    Driver driver = new Driver();
    SpannerConnectionFactory factory = SpannerConnectionFactory.over(driver);
    assertThat(SpannerConnectionFactory.over(factory)).isSameAs(factory);
    assertThat(factory.getMetadata().getName()).isEqualTo("a driver");
    assertThat(factory.unwrap()).isSameAs(driver);

    Publisher<? extends Connection> connections = factory.create();
    assertThat(driver.created).hasValue(0);
    Mono.from(connections).block(LIMIT);
    Mono.from(connections).block(LIMIT);
    assertThat(driver.created).hasValue(2);

    Publisher<Void> closing = factory.close();
    assertThat(driver.closed).hasValue(0);
    Mono.from(closing).block(LIMIT);
    assertThat(driver.closed).hasValue(1);
  }
}
