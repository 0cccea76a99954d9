package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.databases.TcpProxy;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.InsertTimeoutException;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An insert pipeline over a pool of three, on a network that drops what it should carry. */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class SilentInsertsTest {

  private static final int ROWS = 200;
  private static final int GROUP = 10;
  private static final int POOL = 3;
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Enough for every commit that is answered: with numbers, a late one is unknown. */
  private static final Duration TIMEOUT_OF_NUMBERED = Duration.ofSeconds(5);

  /** A new connection that is never answered is the pool's to give up. */
  private static final Duration CONNECTING = Duration.ofSeconds(2);

  private record Line(long id, long number) {}

  private R2dbcDatabase database;
  private TcpProxy proxy;
  private ConnectionPool pool;

  /** Connections whose handshake may have been met by the silence; the driver leaves them open. */
  private int halfMade;

  @BeforeEach
  void connect(R2dbcDatabase created) {
    database = created;
    // No primary key: what is written twice shows. The index makes the second insertion fail.
    database.execute(
        "DROP TABLE IF EXISTS events",
        "DROP TABLE IF EXISTS sequences",
        "CREATE TABLE events (id BIGINT NOT NULL, number BIGINT NOT NULL, UNIQUE (id))");
    proxy = new TcpProxy("localhost:" + database.port());
    pool =
        new ConnectionPool(
            ConnectionPoolConfiguration.builder(database.through(proxy.port()))
                .initialSize(0)
                .maxSize(POOL)
                .maxCreateConnectionTime(CONNECTING)
                .build());
  }

  @AfterEach
  void disconnect() {
    proxy.close();
    pool.disposeLater().onErrorComplete().block(LIMIT);
  }

  private R2dbcInserts<Line> inserts() {
    return R2dbcInserts.<Line>into(
            pool, "events", (line, row) -> row.set("id", line.id()).set("number", line.number()))
        .groupSize(GROUP)
        .transactionTimeout(TIMEOUT)
        .retries(20, Duration.ofMillis(50), Duration.ofMillis(500));
  }

  private R2dbcInserts<Line> keyed() {
    return inserts().key("id").concurrency(4);
  }

  private R2dbcInserts<Line> numbered() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(pool);
    R2dbcSequenceStore direct = R2dbcSequenceStore.create(database.connections());
    direct.createTable().then(direct.create("numbers", 1)).block(LIMIT);
    return inserts()
        .numbered(store.transactional("numbers"), (line, number) -> new Line(line.id(), number))
        .transactionTimeout(TIMEOUT_OF_NUMBERED)
        .concurrency(1);
  }

  private static CompletableFuture<List<InsertOutcome<Line>>> start(R2dbcInserts<Line> inserts) {
    return start(inserts, seen -> {});
  }

  /** Tells an observer, before each next row, how many outcomes there are. */
  private static CompletableFuture<List<InsertOutcome<Line>>> start(
      R2dbcInserts<Line> inserts, IntConsumer observer) {
    AtomicInteger seen = new AtomicInteger();
    return Flux.range(0, ROWS)
        .map(id -> new Line(id, 0))
        .transform(inserts.outcomes())
        .doOnNext(outcome -> observer.accept(seen.incrementAndGet()))
        .collectList()
        .toFuture();
  }

  private static List<InsertOutcome<Line>> await(
      CompletableFuture<List<InsertOutcome<Line>>> running) throws Exception {
    List<InsertOutcome<Line>> outcomes = running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(outcomes).hasSize(ROWS);
    return outcomes;
  }

  /**
   * Starts a pipeline, and silences every connection after some rows, until the pipeline asks for a
   * new one.
   */
  private CompletableFuture<List<InsertOutcome<Line>>> startAndFallSilent(
      R2dbcInserts<Line> inserts) {
    AtomicInteger before = new AtomicInteger();
    AtomicInteger connections = new AtomicInteger(Integer.MAX_VALUE);
    CompletableFuture<List<InsertOutcome<Line>>> running =
        start(
            inserts,
            seen -> {
              if (seen == 5 * GROUP) {
                before.set(proxy.accepted() - (proxy.open() - complete()));
                proxy.fallSilent();
                connections.set(proxy.accepted());
              }
            });
    Awaitility.await().atMost(LIMIT).until(() -> proxy.accepted() > connections.get());
    proxy.mend();
    halfMade = proxy.accepted() - before.get();
    return running;
  }

  /** The others that are open are being made: the silence may meet them before they are. */
  private int complete() {
    PoolMetrics metrics = pool.getMetrics().orElseThrow();
    return metrics.acquiredSize() + metrics.idleSize();
  }

  private List<Long> stored(String column) {
    return Objects.requireNonNull(
        Flux.usingWhen(
                Mono.defer(() -> Mono.from(database.connections().create())),
                connection ->
                    Flux.from(
                            connection
                                .createStatement("SELECT " + column + " FROM events ORDER BY 1")
                                .execute())
                        .concatMap(result -> result.map((row, data) -> row.get(0, Long.class))),
                Connection::close)
            .collectList()
            .block(LIMIT));
  }

  private static List<Long> oneToTheLast(long first, long count) {
    return LongStream.range(first, first + count).boxed().toList();
  }

  /** Every place of the pool is free, and has a connection that works. */
  private void assertPoolIsWhole() {
    Pools.awaitReturns(pool);
    List<Connection> all =
        Flux.range(0, POOL)
            .flatMap(i -> pool.create())
            .collectList()
            .blockOptional(LIMIT)
            .orElseThrow();
    assertThat(all).hasSize(POOL);
    assertThat(
            Flux.fromIterable(all)
                .concatMap(
                    each ->
                        Flux.from(each.createStatement("SELECT 1").execute()).then(Mono.just(1)))
                .count()
                .block(LIMIT))
        .isEqualTo(POOL);
    Flux.fromIterable(all).concatMap(Connection::close).blockLast(LIMIT);
    Awaitility.await("silent connections are closed")
        .atMost(LIMIT)
        .until(() -> proxy.open() <= POOL + halfMade);
  }

  private static void assertAllCommitted(List<InsertOutcome<Line>> outcomes) {
    assertThat(outcomes).hasOnlyElementsOfType(Committed.class);
    assertThat(outcomes).extracting(outcome -> outcome.row().id()).doesNotHaveDuplicates();
  }

  /** A statement commits by itself. The connection that looks its rows up is silenced, too. */
  @Test
  void connectionsThatAnswerNeitherACommitNorALookUpLoseNoRow() throws Exception {
    proxy.loseAnswerTo("INSERT INTO \"events\"");
    proxy.loseAnswerTo("FROM \"events\" WHERE");
    assertAllCommitted(await(start(keyed())));
    assertThat(proxy.answersToLose()).isZero();
    assertThat(stored("id")).isEqualTo(oneToTheLast(0, ROWS));
    assertPoolIsWhole();
  }

  @Test
  void connectionsThatAllFellSilentLoseNoRow() throws Exception {
    endTransactionsOfDeadClients();
    CompletableFuture<List<InsertOutcome<Line>>> running = startAndFallSilent(keyed());
    assertAllCommitted(await(running));
    assertThat(stored("id")).isEqualTo(oneToTheLast(0, ROWS));
    assertPoolIsWhole();
  }

  /** A server that has not heard of a client's end keeps the client's locks. */
  private void endTransactionsOfDeadClients() {
    database.execute(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout"
            + " = %L', current_database(), '2s'); END $$");
  }

  private static void assertUnknownIsOneGroup(List<InsertOutcome<Line>> outcomes) {
    List<InsertOutcome<Line>> unknown =
        outcomes.stream().filter(Unknown.class::isInstance).toList();
    assertThat(unknown).hasSize(GROUP);
    assertThat(unknown)
        .extracting(outcome -> outcome.row().id() / GROUP)
        .containsOnly(unknown.get(0).row().id() / GROUP);
    assertThat(unknown)
        .extracting(outcome -> ((Unknown<Line>) outcome).reason())
        .hasOnlyElementsOfType(InsertTimeoutException.class);
    assertThat(outcomes).filteredOn(Committed.class::isInstance).hasSize(ROWS - GROUP);
  }

  @Test
  void withNumbersOnlyTheGroupWhoseCommitIsNotAnsweredIsUnknown() throws Exception {
    proxy.loseAnswerTo("COMMIT");
    List<InsertOutcome<Line>> outcomes = await(start(numbered()));

    assertUnknownIsOneGroup(outcomes);
    assertThat(stored("id")).as("the commit took effect").isEqualTo(oneToTheLast(0, ROWS));
    assertThat(stored("number")).isEqualTo(oneToTheLast(1, ROWS));
    assertPoolIsWhole();
  }

  /** The numbers of a commit that did not arrive are given again. */
  @Test
  void withNumbersConnectionsThatAllFellSilentLeaveNoGap() throws Exception {
    endTransactionsOfDeadClients();
    CompletableFuture<List<InsertOutcome<Line>>> running = startAndFallSilent(numbered());
    List<InsertOutcome<Line>> outcomes = await(running);

    List<Long> written = stored("id");
    assertThat(outcomes).noneMatch(InsertOutcome.Rejected.class::isInstance);
    assertThat(outcomes.stream().filter(Unknown.class::isInstance).count())
        .as("the group under way")
        .isIn(0L, (long) GROUP);
    assertThat(outcomes)
        .filteredOn(outcome -> !written.contains(outcome.row().id()))
        .allMatch(Unknown.class::isInstance);
    assertThat(stored("number")).isEqualTo(oneToTheLast(1, written.size()));
    assertPoolIsWhole();
  }
}
