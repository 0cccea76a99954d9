package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Work on a pool of two connections is cancelled at random moments: while it waits for a
 * connection, begins, runs any statement, commits, rolls back, or gives the connection back.
 * Afterwards both connections are there, and nothing is open on them.
 */
class CancelledAtRandomTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int THREADS = 3;

  record Order(long id, String note) {

    void writeTo(InsertRow row) {
      row.set("id", id).set("note", note);
    }
  }

  abstract static class Behaviour {

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final AtomicLong ids = new AtomicLong();

    private R2dbcDatabase database;
    private R2dbcDialect dialect;
    private ConnectionPool pool;
    private R2dbcSequenceStore store;

    /** How many pieces of work are cancelled in each test. */
    int rounds() {
      return 1_500;
    }

    @BeforeEach
    void connect(R2dbcDatabase created) {
      database = created;
      dialect = R2dbcDialect.of(created.connections()).blockOptional(LIMIT).orElseThrow();
      R2dbcSequenceStore plain = R2dbcSequenceStore.create(created.connections());
      plain.createTable().then(plain.create("orders", 1)).block(LIMIT);
      pool = Pools.of(2, created.connections());
      store = R2dbcSequenceStore.builder(pool).dialect(dialect).build();
    }

    @AfterEach
    void disconnect() {
      pool.dispose();
    }

    /** Subscribes to work, and cancels each piece after a time that is often too short for it. */
    private void cancelAtRandom(Function<Random, Mono<?>> work) {
      System.out.println(getClass().getSimpleName() + " -Dseed=" + seed);
      AtomicInteger cancelled = new AtomicInteger();
      AtomicInteger ended = new AtomicInteger();
      ConcurrentHashMap<String, Integer> failures = new ConcurrentHashMap<>();
      CountDownLatch done = new CountDownLatch(THREADS);
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed + t);
        double[] patience = {
          database.kind().isSpanner() ? 30_000_000 : 3_000_000
        }; // changed until as much work ends as is cancelled
        Thread thread =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < rounds() / THREADS; i++) {
                      // most phases take less than a millisecond
                      long nanos = (long) (random.nextDouble() * patience[0]);
                      Disposable subscription =
                          work.apply(random)
                              .doOnError(
                                  failure -> failures.merge(failure.toString(), 1, Integer::sum))
                              .onErrorComplete()
                              .doOnCancel(cancelled::incrementAndGet)
                              .doOnTerminate(ended::incrementAndGet)
                              .subscribe();
                      LockSupport.parkNanos(nanos);
                      boolean late = subscription.isDisposed();
                      subscription.dispose();
                      patience[0] =
                          Math.min(
                              patience[0] * (late ? 0.9 : 1.1),
                              database.kind().isSpanner() ? 300_000_000 : 20_000_000);
                    }
                  } finally {
                    done.countDown();
                  }
                });
        thread.setDaemon(true);
        thread.start();
      }
      try {
        assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      System.out.println(cancelled + " cancelled, " + ended + " ended, " + failures);
      assertThat(cancelled.get()).as("cancelled").isGreaterThan(rounds() / 20);
      assertThat(ended.get()).as("ended before").isGreaterThan(rounds() / 40);
    }

    private void bothConnectionsAreThereAndAtRest() {
      PoolMetrics metrics = pool.getMetrics().orElseThrow();
      Awaitility.await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                assertThat(metrics.acquiredSize()).as("acquired").isZero();
                assertThat(metrics.pendingAcquireSize()).as("waiting").isZero();
                assertThat(store.hungConnections()).as("hung").isZero();
              });
      List<Connection> both = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        both.add(pool.create().blockOptional(LIMIT).orElseThrow());
      }
      for (Connection connection : both) {
        if (!database.kind().isSpanner()) {
          assertThat(connection.isAutoCommit()).as("no transaction is open").isTrue();
        }
        assertThat(
                Flux.from(
                        connection
                            .createStatement("SELECT COUNT(*) FROM " + quoted("sequences"))
                            .execute())
                    .flatMap(result -> result.map(row -> row.get(0, Long.class)))
                    .blockLast(LIMIT))
            .isPositive();
      }
      both.forEach(connection -> Mono.from(connection.close()).block(LIMIT));
      assertThat(store.reserve("orders", 1).block(LIMIT)).as("no lock is held").isNotNull();
    }

    @Test
    void theStore() {
      cancelAtRandom(
          random ->
              switch (random.nextInt(6)) {
                case 0 -> store.reserve("orders", 3);
                case 1 -> store.release("orders", SequenceBlock.of(1, 2));
                case 2 -> store.create("s" + random.nextInt(20), 1);
                case 3 -> store.state("orders");
                case 4 -> store.moveForward("orders", random.nextInt(1_000));
                default -> store.moveForwardPast("orders", "sequences", "next_value");
              });
      bothConnectionsAreThereAndAtRest();
    }

    @Test
    void insertPipelines() {
      String type = database.kind() == DatabaseKind.SPANNER ? "STRING(20)" : "VARCHAR(20)";
      String number = database.kind() == DatabaseKind.SPANNER ? "INT64" : "BIGINT";
      database.execute(
          database.kind() == DatabaseKind.SPANNER
              ? "CREATE TABLE items (id INT64 NOT NULL, note STRING(20)) PRIMARY KEY (id)"
              : "CREATE TABLE "
                  + quoted("items")
                  + " ("
                  + quoted("id")
                  + " "
                  + number
                  + " NOT NULL PRIMARY KEY, "
                  + quoted("note")
                  + " "
                  + type
                  + ")");
      cancelAtRandom(
          random -> {
            R2dbcInserts<Order> inserts =
                R2dbcInserts.<Order>into(pool, "items", Order::writeTo)
                    .dialect(dialect)
                    .key("id")
                    .groupSize(2)
                    .concurrency(2);
            if (random.nextBoolean()) {
              inserts.numbered(store.transactional("orders"), (order, value) -> order);
            }
            return Flux.range(0, 4)
                .map(i -> new Order(ids.incrementAndGet(), "n" + i))
                .transform(inserts.rows())
                .then();
          });
      bothConnectionsAreThereAndAtRest();
    }

    private String quoted(String name) {
      return dialect.quote(name);
    }

    @Test
    void valuesInsideATransaction() {
      TransactionalSequence invoices = store.transactional("orders");
      cancelAtRandom(random -> inTransaction(pool, random, invoices));
      bothConnectionsAreThereAndAtRest();
    }

    /** As docs/r2dbc.md has it. */
    private static Mono<?> inTransaction(
        ConnectionFactory connections, Random random, TransactionalSequence invoices) {
      boolean late = random.nextBoolean();
      return Mono.usingWhen(
          Mono.defer(() -> Mono.from(connections.create())),
          connection ->
              Mono.from(connection.beginTransaction())
                  .then(Mono.defer(() -> invoices.next(connection)))
                  .then(Mono.defer(() -> late ? invoices.next(connection, 2) : Mono.just(1)))
                  .flatMap(value -> Mono.from(connection.commitTransaction()).thenReturn(value)),
          Connection::close,
          (connection, failure) -> rolledBack(connection),
          connection -> rolledBack(connection));
    }

    private static Mono<Void> rolledBack(Connection connection) {
      return Mono.from(connection.rollbackTransaction())
          .onErrorComplete()
          .then(Mono.defer(() -> Mono.from(connection.close())));
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class SpannerGoogleSql extends Behaviour {

    @Override
    int rounds() {
      return 150;
    }
  }
}
