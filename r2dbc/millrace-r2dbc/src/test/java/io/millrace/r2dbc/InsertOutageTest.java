package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseServer;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.Result;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Faults in the middle of many rows: every row is written once, or reported. */
@OnDatabases(
    value = {POSTGRESQL},
    also = {MYSQL, MARIADB})
class InsertOutageTest {

  private static final int ROWS = 1_000;
  private static final int GROUPS = 100;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** How a group is written, and the events before each of which connections are cut, in turn. */
  private enum Form {
    ONE_STATEMENT(WatchedConnections::isInsert),
    /** Not all rows set the same columns. */
    TRANSACTION("begin"::equals, WatchedConnections::isInsert, "commit"::equals);

    private final List<Predicate<String>> moments;

    @SafeVarargs
    Form(Predicate<String>... moments) {
      this.moments = List.of(moments);
    }
  }

  @Parameter R2dbcDatabase database;

  /** No primary key: what is written twice shows. The index makes the second insertion fail. */
  private static final String TABLE =
      "CREATE TABLE events (id BIGINT NOT NULL, note VARCHAR(20), UNIQUE (id))";

  private R2dbcInserts<Integer> inserts(ConnectionFactory connections, Form form) {
    return R2dbcInserts.<Integer>into(
            connections,
            "events",
            (n, row) -> {
              row.set("id", (long) n);
              if (form == Form.ONE_STATEMENT || n % 2 == 0) {
                row.set("note", "n" + n);
              }
            })
        .key("id")
        .groupSize(ROWS / GROUPS)
        .concurrency(4)
        .retries(500, Duration.ofMillis(20), Duration.ofMillis(500)); // a server may start slowly
  }

  /** Runs the rows, and prepares a fault each time so many outcomes have come. */
  private List<InsertOutcome<Integer>> run(
      R2dbcInserts<Integer> inserts, int every, Runnable fault) {
    AtomicInteger seen = new AtomicInteger();
    List<InsertOutcome<Integer>> outcomes =
        Objects.requireNonNull(
            Flux.range(0, ROWS)
                .transform(inserts.outcomes())
                .doOnNext(
                    outcome -> {
                      if (seen.incrementAndGet() % every == 0) {
                        fault.run();
                      }
                    })
                .collectList()
                .block(LIMIT));
    assertThat(outcomes).hasSize(ROWS);
    assertThat(outcomes).extracting(InsertOutcome::row).doesNotHaveDuplicates();
    return outcomes;
  }

  /** Ends the connections to the database, except for the one that ends them. */
  private static void cutOthers(R2dbcDatabase database) {
    if (!database.kind().isMySql()) {
      database.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
      return;
    }
    Flux.usingWhen(
            Mono.defer(() -> Mono.from(database.connections().create())),
            connection ->
                longs(
                        connection,
                        "SELECT CAST(id AS SIGNED) FROM information_schema.processlist"
                            + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")
                    .collectList()
                    .flatMapIterable(ids -> ids)
                    .concatMap(
                        id -> // it may have ended by itself
                        Flux.from(connection.createStatement("KILL " + id).execute())
                                .concatMap(Result::getRowsUpdated)
                                .onErrorComplete()),
            Connection::close)
        .blockLast(LIMIT);
  }

  private static Flux<Long> longs(Connection connection, String query) {
    return Flux.from(connection.createStatement(query).execute())
        .concatMap(result -> result.map((row, data) -> row.get(0, Long.class)));
  }

  private static List<Long> stored(ConnectionFactory connections) {
    return Objects.requireNonNull(
        Flux.usingWhen(
                Mono.defer(() -> Mono.from(connections.create())),
                connection -> longs(connection, "SELECT id FROM events"),
                Connection::close)
            .collectList()
            .block(LIMIT));
  }

  /** What is said to be written is written, once, and nothing else is that was said not to be. */
  private void assertHonest(List<InsertOutcome<Integer>> outcomes, List<Long> stored) {
    BitSet written = new BitSet();
    stored.forEach(id -> written.set(id.intValue()));
    assertThat(written.cardinality()).as("no row twice").isEqualTo(stored.size());
    for (InsertOutcome<Integer> outcome : outcomes) {
      if (!(outcome instanceof InsertOutcome.Unknown)) {
        assertThat(written.get(outcome.row()))
            .as("%s", outcome)
            .isEqualTo(outcome instanceof Committed);
      }
    }
    assertThat(outcomes).filteredOn(Committed.class::isInstance).hasSize(ROWS);
  }

  /** The faults hit the pipeline at work: the driver failed, and groups were begun again. */
  private void assertMet(WatchedConnections watched, Form form) {
    assertThat(watched.failed()).as("what the driver failed at").isNotEmpty();
    assertThat(watched.commits()).as("commits").isGreaterThan(GROUPS);
    long transactions = watched.log().stream().filter("begin"::equals).count();
    if (form == Form.TRANSACTION) {
      assertThat(transactions).isGreaterThan(GROUPS);
    } else {
      assertThat(transactions).as("after a lost answer").isLessThan(GROUPS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionsThatAreCutLoseNoRow(Form form) {
    database.execute("DROP TABLE IF EXISTS events", TABLE);
    AtomicInteger cuts = new AtomicInteger();
    WatchedConnections watched = new WatchedConnections(database.connections());
    ConnectionPool pool = Pools.of(4, watched);
    List<InsertOutcome<Integer>> outcomes =
        run(
            inserts(pool, form),
            ROWS / 10,
            () ->
                watched.atNext(
                    form.moments.get(cuts.get() % form.moments.size()),
                    work ->
                        after(
                            () -> {
                              synchronized (cuts) { // or one cut would end another's connection
                                cutOthers(database);
                                cuts.incrementAndGet();
                              }
                            },
                            work)));

    pool.disposeLater().onErrorComplete().block(LIMIT); // some of its connections are dead
    assertThat(cuts).as("cuts, at each moment").hasValueGreaterThanOrEqualTo(3);
    assertMet(watched, form);
    assertHonest(outcomes, stored(database.connections()));
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatStopsAndStartsAgainLosesNoRow(Form form) {
    try (DatabaseServer server = database.kind().startServer();
        R2dbcDatabase own = server.createDatabase()) {
      own.execute(TABLE);
      WatchedConnections watched = new WatchedConnections(own.connections());
      AtomicInteger outages = new AtomicInteger();
      List<InsertOutcome<Integer>> outcomes =
          run(
              inserts(watched, form),
              ROWS / 2,
              () ->
                  watched.atNext(
                      "commit"::equals,
                      commit ->
                          outages.incrementAndGet() == 1
                              ? after(
                                  () -> {
                                    server.stop();
                                    server.startAgain();
                                  },
                                  commit)
                              : commit));
      assertThat(outages).hasPositiveValue();
      assertMet(watched, form);
      assertHonest(outcomes, stored(own.connections()));
    }
  }

  /** Work sent after a fault that ends its connection: its transaction, at least, is lost. */
  private static Flux<Object> after(Runnable fault, Flux<Object> work) {
    return Mono.fromRunnable(fault).subscribeOn(Schedulers.boundedElastic()).thenMany(work);
  }

  @ParameterizedTest
  @EnumSource
  void answersThatAreLostAtRandomLoseNoRow(Form form) {
    database.execute("DROP TABLE IF EXISTS events", TABLE);
    WatchedConnections watched = new WatchedConnections(database.connections());
    long seed = new Random().nextLong();
    System.out.println("InsertOutageTest, seed " + seed);
    Random random = new Random(seed);
    AtomicInteger lost = new AtomicInteger();
    loseNext(watched, random, lost);
    List<InsertOutcome<Integer>> outcomes = run(inserts(watched, form), ROWS, () -> {});
    assertThat(lost.get()).as("lost answers").isGreaterThan(10);
    assertHonest(outcomes, stored(database.connections()));
    watched.awaitClosed();
  }

  /** Some commits are applied and not answered, some lost on the way, most answered. */
  private static void loseNext(WatchedConnections watched, Random random, AtomicInteger lost) {
    watched.atNext(
        "commit"::equals,
        commit -> {
          int dice;
          synchronized (random) {
            dice = random.nextInt(8);
          }
          loseNext(watched, random, lost);
          if (dice > 1) {
            return commit;
          }
          lost.incrementAndGet();
          Flux<Object> failure =
              Flux.error(new R2dbcNonTransientResourceException("connection reset"));
          return dice == 0 ? failure : commit.concatWith(failure);
        });
  }
}
