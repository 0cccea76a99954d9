package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.test.contract.Tenants;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * With automatic context propagation, whatever is called for a subscriber finds the ThreadLocals of
 * that subscriber, whoever's thread brought its connection; and what is called for a generator
 * finds none.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class R2dbcTenantsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @RegisterExtension final Tenants tenants = new Tenants();

  private static R2dbcInserts<Long> quick(R2dbcInserts<Long> inserts) {
    return inserts.groupSize(5).concurrency(2).maxDelay(Duration.ofNanos(1_000));
  }

  abstract static class Behaviour {

    private static final int SUBSCRIBERS = 6;
    private static final int ROWS = 60;

    @RegisterExtension final Tenants tenants = new Tenants();

    /** A source that asks who wants a connection, as one does that has a database a tenant. */
    private ConnectionFactory of(String tenant, ConnectionFactory source) {
      return new ConnectionFactory() {
        @Override
        public Publisher<? extends Connection> create() {
          tenants.expect(tenant);
          return source.create();
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
          return source.getMetadata();
        }
      };
    }

    /** More groups at a time than connections, so that one's end gives another its connection. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyCallOfAPipelineFindsTheTenantOfItsSubscriber(boolean numbered, R2dbcDatabase database)
        throws InterruptedException {
      database.execute(
          "DROP TABLE IF EXISTS \"events\"",
          "CREATE TABLE \"events\" (\"id\" BIGINT NOT NULL PRIMARY KEY)");
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
      store.createTable().then(store.create("orders", 1)).block(LIMIT);
      ConnectionPool pool = Pools.of(2, database.connections());
      CountDownLatch ended = new CountDownLatch(SUBSCRIBERS);
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      for (int i = 0; i < SUBSCRIBERS; i++) {
        String tenant = "tenant " + i;
        long base = i * 1_000L;
        tenants.enter(tenant);
        R2dbcInserts<Long> inserts =
            quick(
                    R2dbcInserts.<Long>into(
                        of(tenant, pool),
                        "events",
                        (n, row) -> {
                          tenants.expect(tenant);
                          row.set("id", base + n);
                        }))
                .groupedBy(
                    n -> {
                      tenants.expect(tenant);
                      return n % 3;
                    });
        if (numbered) {
          inserts.numbered(
              store.transactional("orders"),
              (n, number) -> {
                tenants.expect(tenant);
                return n;
              });
        }
        Flux.range(0, ROWS)
            .map(Long::valueOf)
            .transform(inserts.rows())
            .doOnNext(row -> tenants.expect(tenant))
            .contextWrite(tenants.of(tenant))
            .doOnError(failures::add)
            .doFinally(end -> ended.countDown())
            .subscribe(row -> {}, failure -> {});
      }

      assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(failures).isEmpty();
      assertThat(tenants.calls()).isGreaterThan((numbered ? 4 : 3) * SUBSCRIBERS * ROWS);
      assertThat(tenants.wrong()).isZero();
      pool.dispose();
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Test
  void aConnectionThatAnotherGivesBackLeadsToTheTenantThatWaitedForIt() {
    ScriptedDriver driver = new ScriptedDriver();
    Sinks.Empty<Object> gate = Sinks.empty();
    driver.atNext("execute", work -> gate.asMono().then((Mono<?>) work));
    ConnectionPool pool = Pools.of(1, driver);
    TransactionalSequence<Connection> numbers =
        R2dbcSequenceStore.builder(driver)
            .dialect(R2dbcDialect.POSTGRESQL)
            .build()
            .transactional("orders");
    List<String> seen = new CopyOnWriteArrayList<>();
    List<String> called = new CopyOnWriteArrayList<>();
    CountDownLatch ended = new CountDownLatch(2);
    for (String tenant : List.of("a", "b")) {
      tenants.enter(tenant);
      Flux.just(1L)
          .transform(
              R2dbcInserts.<Long>into(
                      pool,
                      "events",
                      (n, row) -> {
                        seen.add(tenants.current());
                        row.set("id", n);
                      })
                  .dialect(R2dbcDialect.POSTGRESQL)
                  .numbered(
                      numbers,
                      (n, number) -> {
                        seen.add(tenants.current());
                        return number;
                      })
                  .rows())
          .contextWrite(tenants.of(tenant))
          .doFinally(end -> ended.countDown())
          .subscribe();
    }
    Awaitility.await()
        .atMost(LIMIT)
        .until(() -> pool.getMetrics().orElseThrow().pendingAcquireSize() == 1);
    driver.onCall(() -> called.add(tenants.current()));
    tenants.enter("other");
    gate.tryEmitEmpty();

    Awaitility.await().atMost(LIMIT).until(() -> ended.getCount() == 0);
    assertThat(seen).containsExactlyInAnyOrder("a", "a", "b", "b");
    assertThat(called).as("calls of the driver").contains("a", "b").doesNotContain("other", "none");
    assertThat(tenants.current()).isEqualTo("other");
    pool.dispose();
  }

  /** The thread that says that a kept connection is dead is somebody else's. */
  @Test
  void aConnectionInPlaceOfADeadOneIsAskedForInTheNameOfTheSubscriber() {
    ScriptedDriver driver = new ScriptedDriver();
    R2dbcSequenceStore store =
        R2dbcSequenceStore.builder(driver).dialect(R2dbcDialect.POSTGRESQL).build();
    store.reserve("orders", 1).block(LIMIT);
    Sinks.One<Boolean> alive = Sinks.one();
    driver.atNext("validate", work -> alive.asMono());
    List<String> called = new ArrayList<>();
    tenants.enter("own");
    store.reserve("orders", 1).contextWrite(tenants.of("own")).subscribe();
    driver.onCall(() -> called.add(tenants.current()));
    tenants.enter("other");
    alive.tryEmitValue(false);

    assertThat(driver.opened()).hasSize(2);
    assertThat(called).hasSizeGreaterThan(4).containsOnly("own");
    assertThat(tenants.current()).isEqualTo("other");
  }

  @Test
  void callsThatTakeTurnsOnAConnectionKeepTheirTenants() {
    ScriptedDriver driver = new ScriptedDriver();
    TransactionalSequence<Connection> numbers =
        R2dbcSequenceStore.builder(driver)
            .dialect(R2dbcDialect.POSTGRESQL)
            .build()
            .transactional("orders");
    Connection connection =
        Mono.from(driver.create()).cast(Connection.class).blockOptional(LIMIT).orElseThrow();
    Mono.from(connection.beginTransaction()).block(LIMIT);
    Sinks.Empty<Object> gate = Sinks.empty();
    driver.atNext("execute", work -> gate.asMono().then((Mono<?>) work));
    List<String> seen = new ArrayList<>();
    List<String> called = new ArrayList<>();
    for (String tenant : List.of("a", "b", "c")) {
      tenants.enter(tenant);
      numbers
          .next(connection)
          .doOnNext(number -> seen.add(tenant + " as " + tenants.current()))
          .contextWrite(tenants.of(tenant))
          .subscribe();
    }
    driver.onCall(() -> called.add(tenants.current()));
    tenants.enter("other");
    gate.tryEmitEmpty();

    assertThat(seen).containsExactlyInAnyOrder("a as a", "b as b", "c as c");
    assertThat(called).contains("b", "c").doesNotContain("other", "none");
    assertThat(tenants.current()).isEqualTo("other");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theReservationsOfAGeneratorSeeNoSubscribersTenant(boolean blocking) {
    ScriptedDriver driver = new ScriptedDriver();
    List<String> called = new CopyOnWriteArrayList<>();
    driver.onCall(() -> called.add(tenants.current()));
    driver.atNext(
        "execute",
        work -> {
          driver.atNext("execute", again -> Mono.never()); // as long as anybody waits
          return Mono.error(new R2dbcRollbackException("a conflict", "40P01"));
        });
    SequenceGenerator generator =
        SequenceGenerator.builder(
                R2dbcSequenceStore.builder(driver)
                    .dialect(blocking ? R2dbcDialect.H2 : R2dbcDialect.POSTGRESQL)
                    .build(),
                "orders")
            .batchSize(5)
            .reservationTimeout(Duration.ofMillis(200))
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 100)
            .build();
    tenants.enter("alice");
    List<Long> values =
        generator.values().take(12).contextWrite(tenants.of("alice")).collectList().block(LIMIT);
    assertThat(values).hasSize(12);
    if (!blocking) {
      Awaitility.await().atMost(LIMIT).until(() -> driver.count("cancelRequest") > 0);
    }
    generator.disposeLater().block(LIMIT);

    assertThat(driver.log()).contains("create", "execute", "map");
    assertThat(called).hasSizeGreaterThan(10).containsOnly("none");
    assertThat(tenants.current()).isEqualTo("alice");
  }
}
