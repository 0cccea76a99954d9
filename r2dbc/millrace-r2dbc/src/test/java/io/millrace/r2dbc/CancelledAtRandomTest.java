package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
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

  record Order(long id, @Nullable Long number) {

    Order numbered(long value) {
      return new Order(id, value);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("number", number, Long.class);
    }
  }

  abstract static class Behaviour {

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final AtomicLong ids = new AtomicLong();

    private R2dbcDatabase database;
    private R2dbcDialect dialect;
    private ConnectionPool pool;
    private R2dbcSequenceStore store;

    /** How many pieces of work are cancelled in each test; {@code -Drounds=6000} for more. */
    int rounds() {
      return Integer.getInteger("rounds", 150);
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
        double[] patience = {3_000_000}; // changed until as much work ends as is cancelled
        Thread thread =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < rounds() / THREADS; i++) {
                      awaitRoom();
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
                      patience[0] = Math.min(patience[0] * (late ? 0.9 : 1.1), 3_000_000_000L);
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

    /** Work that goes on after its cancel must not pile up, or nothing would end in time. */
    private void awaitRoom() {
      PoolMetrics metrics = pool.getMetrics().orElseThrow();
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (metrics.pendingAcquireSize() > THREADS && System.nanoTime() < deadline) {
        LockSupport.parkNanos(100_000);
      }
    }

    /** Returns the value that the sequence gives then. */
    private long bothConnectionsAreThereAndAtRest() {
      Pools.awaitReturns(pool);
      Awaitility.await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(store.connections.hung.get()).as("hung").isZero());
      List<Connection> both = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        both.add(pool.create().blockOptional(LIMIT).orElseThrow());
      }
      for (Connection connection : both) {
        assertThat(connection.isAutoCommit()).as("no transaction is open").isTrue();
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
      return store
          .reserve("orders", 1)
          .blockOptional(LIMIT) // no lock is held
          .orElseThrow()
          .first();
    }

    @Test
    void theStore() {
      cancelAtRandom(
          random ->
              switch (random.nextInt(5)) {
                case 0 -> store.reserve("orders", 3);
                case 1 -> store.release("orders", SequenceBlock.of(1, 2));
                case 2 -> store.create("s" + random.nextInt(20), 1);
                case 3 -> store.state("orders");
                default -> store.advanceTo("orders", random.nextInt(1_000));
              });
      bothConnectionsAreThereAndAtRest();
    }

    @Test
    void insertPipelines() {
      createTable("items");
      cancelAtRandom(
          random -> {
            R2dbcInserts<Order> inserts =
                R2dbcInserts.<Order>into(pool, "items", Order::writeTo)
                    .dialect(dialect)
                    .key("id")
                    .groupSize(2)
                    .concurrency(2);
            if (random.nextBoolean()) {
              inserts.numbered(
                  store.transactional("orders"), (order, value) -> order.numbered(value));
            }
            return Flux.range(0, 4)
                .map(i -> new Order(ids.incrementAndGet(), null))
                .transform(inserts.rows())
                .then();
          });
      assertNoGap("items", "number", bothConnectionsAreThereAndAtRest());
    }

    private void createTable(String table) {
      String columns =
          "%1$s BIGINT NOT NULL, %2$s BIGINT".formatted(quoted("id"), quoted("number"));
      database.execute(
          "CREATE TABLE %s (%s, PRIMARY KEY (%s))".formatted(quoted(table), columns, quoted("id")));
    }

    private String quoted(String name) {
      return dialect.quote(name);
    }

    @Test
    void valuesInsideATransaction() {
      createTable("invoices");
      TransactionalSequence<Connection> invoices = store.transactional("orders");
      cancelAtRandom(random -> inTransaction(random, invoices));
      assertNoGap("invoices", "id", bothConnectionsAreThereAndAtRest());
    }

    @Test
    void numbersTakenLast() {
      createTable("bills");
      TransactionalSequence<Connection> invoices = store.transactional("orders");
      R2dbcTransactions transactions = R2dbcTransactions.over(pool, dialect);
      cancelAtRandom(
          random -> {
            int count = 1 + random.nextInt(2);
            return transactions.readWrite(
                connection ->
                    Flux.range(0, count)
                        .concatMap(
                            i ->
                                invoices
                                    .next(connection)
                                    .flatMap(value -> insert(connection, "bills", value)))
                        .then());
          });
      assertNoGap("bills", "id", bothConnectionsAreThereAndAtRest());
    }

    /** A transaction by hand: whoever leaves does not cut it off between two statements. */
    private Mono<?> inTransaction(Random random, TransactionalSequence<Connection> invoices) {
      int count = 1 + random.nextInt(2);
      return Mono.deferContextual(
          context ->
              Mono.usingWhen(
                      pool.create(),
                      connection ->
                          Mono.from(connection.beginTransaction())
                              .then(Mono.defer(() -> invoices.next(connection)))
                              .flatMap(value -> insert(connection, "invoices", value))
                              .flatMap(
                                  one ->
                                      count == 1 ? Mono.just(one) : insertTwo(connection, invoices))
                              .flatMap(
                                  written ->
                                      Mono.from(connection.commitTransaction())
                                          .thenReturn(written)),
                      Connection::close,
                      (connection, failure) -> rolledBack(connection),
                      connection -> rolledBack(connection))
                  .contextWrite(context)
                  .cache());
    }

    private static Mono<Void> rolledBack(Connection connection) {
      return Mono.from(connection.rollbackTransaction())
          .onErrorComplete()
          .then(Mono.defer(() -> Mono.from(connection.close())));
    }

    private Mono<Long> insertTwo(
        Connection connection, TransactionalSequence<Connection> invoices) {
      return invoices
          .next(connection, 2)
          .flatMapIterable(Function.identity())
          .concatMap(value -> insert(connection, "invoices", value))
          .then(Mono.just(1L));
    }

    private Mono<Long> insert(Connection connection, String table, long value) {
      String sql = "INSERT INTO %s (%s) VALUES (%d)".formatted(quoted(table), quoted("id"), value);
      return Flux.from(connection.createStatement(sql).execute())
          .concatMap(Result::getRowsUpdated)
          .next();
    }

    private void assertNoGap(String table, String column, long next) {
      String sql =
          "SELECT %1$s FROM %2$s WHERE %1$s IS NOT NULL ORDER BY %1$s"
              .formatted(quoted(column), quoted(table));
      List<Long> stored =
          Mono.usingWhen(
                  pool.create(),
                  connection ->
                      Flux.from(connection.createStatement(sql).execute())
                          .concatMap(result -> result.map(row -> row.get(0, Long.class)))
                          .collectList(),
                  Connection::close)
              .blockOptional(LIMIT)
              .orElseThrow();
      assertThat(stored).isNotEmpty();
      long span = next - stored.get(0);
      assertThat(stored).doesNotHaveDuplicates().as("no gap").hasSize((int) span);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Tag("long")
  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
