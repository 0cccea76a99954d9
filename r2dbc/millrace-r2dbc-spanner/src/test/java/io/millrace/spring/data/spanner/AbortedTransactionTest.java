package io.millrace.spring.data.spanner;

import static io.millrace.databases.DatabaseKind.SPANNER;
import static io.millrace.databases.DatabaseKind.SPANNER_POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.AbortedException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The caller of a transaction that Spanner aborted gets the abort. The emulator aborts the
 * transaction that is open when others ask for its place often enough.
 */
@OnDatabases({SPANNER, SPANNER_POSTGRESQL})
class AbortedTransactionTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Parameter R2dbcDatabase database;
  private ConnectionPool pool;
  private AnnotationConfigApplicationContext context;
  private DatabaseClient client;
  private TransactionalOperator transactions;

  @BeforeEach
  void start() {
    database.execute(
        database.kind() == DatabaseKind.SPANNER
            ? "CREATE TABLE IF NOT EXISTS counter (id INT64, n INT64) PRIMARY KEY (id)"
            : "CREATE TABLE IF NOT EXISTS counter (id BIGINT PRIMARY KEY, n BIGINT)");
    database.execute(
        "DELETE FROM counter WHERE true", "INSERT INTO counter (id, n) VALUES (1, 0), (2, 0)");
    pool = Pools.of(2, SpannerConnectionFactory.over(database.connections()));
    context = SpringData.over(pool);
    client = context.getBean(R2dbcEntityTemplate.class).getDatabaseClient();
    transactions = context.getBean(TransactionalOperator.class);
  }

  @AfterEach
  void stop() {
    context.close();
    pool.disposeLater().block(PATIENCE);
  }

  /** Another client's transaction, which is run again at once until it commits. */
  private Mono<Void> overtaking() {
    return Mono.usingWhen(
            SpannerConnectionFactory.over(database.connections()).create(),
            connection ->
                Mono.from(connection.beginTransaction())
                    .thenMany(
                        connection
                            .createStatement("UPDATE counter SET n = n + 1 WHERE id = 2")
                            .execute())
                    .flatMap(Result::getRowsUpdated)
                    .then(Mono.from(connection.commitTransaction())),
            Connection::close)
        .retryWhen(
            Retry.fixedDelay(10_000, Duration.ofMillis(2))
                .filter(AbortedException.class::isInstance));
  }

  private Mono<Long> count() {
    return client.sql("UPDATE counter SET n = n + 1 WHERE id = 1").fetch().rowsUpdated();
  }

  private Mono<Long> read() {
    return client
        .sql("SELECT n FROM counter WHERE id = 1")
        .map(row -> Objects.requireNonNull(row.get("n", Long.class)))
        .one();
  }

  @Test
  void anAbortAtAStatementIsWhatTheCallerGets() {
    refused(count().then(overtaking()).then(count()));
    refused(count().then(overtaking()).then(read()));
    allConnectionsWork();
  }

  @Test
  void anAbortAtTheCommitIsWhatTheCallerGets() {
    refused(count().then(overtaking()));
    refused(read().then(count()).then(overtaking()));
    allConnectionsWork();
  }

  @Test
  void aRetryOfTheWholeTransactionSucceeds() {
    AtomicInteger runs = new AtomicInteger();
    Mono<Long> twice =
        Mono.defer(
                () ->
                    count()
                        .then(runs.incrementAndGet() < 3 ? overtaking() : Mono.empty())
                        .then(count()))
            .as(transactions::transactional)
            .retryWhen(
                Retry.backoff(10, Duration.ofMillis(20))
                    .filter(AbortedException.class::isInstance));

    assertThat(twice.block(PATIENCE)).isEqualTo(1);
    assertThat(runs).hasValue(3);
    assertThat(read().block(PATIENCE)).isEqualTo(2);
    allConnectionsWork();
  }

  @Test
  void aFailureOfTheApplicationsOwnIsKeptIfTheTransactionWasAbortedMeanwhile() {
    Mono<Object> failing =
        count()
            .then(overtaking())
            .then(count().onErrorComplete())
            .then(Mono.error(new IllegalArgumentException("on purpose")))
            .as(transactions::transactional);

    assertThatThrownBy(() -> failing.block(PATIENCE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("on purpose");
    assertThat(read().block(PATIENCE)).isZero();
    allConnectionsWork();
  }

  private void refused(Mono<?> body) {
    assertThatThrownBy(() -> body.as(transactions::transactional).block(PATIENCE))
        .isInstanceOf(AbortedException.class);
    assertThat(read().block(PATIENCE)).isZero();
  }

  /** Both connections of the pool begin, change and roll back, and none is held. */
  private void allConnectionsWork() {
    assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
    Long before = read().block(PATIENCE);
    Mono<Long> undone =
        transactions
            .execute(
                status -> {
                  status.setRollbackOnly();
                  return count();
                })
            .single();
    for (int i = 0; i < 4; i++) {
      assertThat(undone.block(PATIENCE)).isEqualTo(1);
    }
    assertThat(Flux.merge(read(), read()).collectList().block(PATIENCE))
        .containsExactly(before, before);
    assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
  }
}
