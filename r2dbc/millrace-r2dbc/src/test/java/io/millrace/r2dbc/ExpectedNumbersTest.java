package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowWriter;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Groups whose numbers are expected, so one statement moves the counter and writes the rows. */
class ExpectedNumbersTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Throwable LOST =
      new R2dbcNonTransientResourceException("connection reset", "08006");

  private record Line(String id, @Nullable String item, long number) {

    Line withNumber(long taken) {
      return new Line(id, item, taken);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("item", item, String.class).set("n", number);
    }
  }

  abstract static class Behaviour {

    R2dbcDatabase database;
    WatchedConnections watched;
    private R2dbcSequenceStore store;
    RowWriter<Line> writer;
    private int entries;

    @BeforeEach
    void connect(R2dbcDatabase created) {
      database = created;
      database.execute(
          "DROP TABLE IF EXISTS entries",
          "DROP TABLE IF EXISTS sequences",
          "CREATE TABLE entries (id VARCHAR(40) PRIMARY KEY, item VARCHAR(20) NOT NULL, n BIGINT NOT"
              + " NULL)");
      store = R2dbcSequenceStore.create(database.connections());
      store.createTable().then(store.create("entries", 1)).block(LIMIT);
      watched = new WatchedConnections(database.pooled());
      writer = inserts(watched).key("id").writer();
    }

    @AfterEach
    void disconnect() {
      writer.disposeLater().then(store.close()).block(LIMIT);
      watched.awaitClosed(); // one whose statement took too long is closed a second later
    }

    R2dbcInserts<Line> inserts(ConnectionFactory connections) {
      return R2dbcInserts.into(connections, "entries", Line::writeTo)
          .retries(20, Duration.ofMillis(1), Duration.ofMillis(100))
          .numbered(store.transactional("entries"), Line::withNumber);
    }

    Line line(String item) {
      return new Line("line " + entries++, item, 0);
    }

    /** Writes a line, and returns its number. */
    long write(String item) {
      return writer.write(line(item)).map(Line::number).blockOptional(LIMIT).orElseThrow();
    }

    /** Writes lines together, and returns their numbers. */
    List<Long> writeAll(String... items) {
      return writer
          .writeAll(Stream.of(items).map(this::line).toList())
          .blockOptional(LIMIT)
          .orElseThrow()
          .stream()
          .map(Line::number)
          .toList();
    }

    /** Writes entries 1 and 2; the writer then expects number 3. */
    void begin() {
      assertThat(write("first")).isEqualTo(1);
      assertThat(write("second")).isEqualTo(2);
      watched.clear();
    }

    private static boolean isOneStatement(String event) {
      return event.startsWith("WITH moved AS") || event.startsWith("BEGIN NOT ATOMIC");
    }

    private R2dbcDialect dialect() {
      return database.kind() == DatabaseKind.MARIADB
          ? R2dbcDialect.MARIADB
          : R2dbcDialect.POSTGRESQL;
    }

    /** A statement that ends another one that writes entries, or its connection. */
    abstract String kill();

    long statements() {
      return watched.log().stream().filter(Behaviour::isOneStatement).count();
    }

    long transactions() {
      return watched.log().stream().filter("begin"::equals).count();
    }

    Map<String, Long> stored() {
      Map<String, Long> stored = new HashMap<>();
      database
          .query(
              "SELECT id, n FROM entries",
              row ->
                  Map.entry(
                      "" + row.get(0, String.class),
                      Objects.requireNonNull(row.get(1, Long.class))))
          .forEach(row -> stored.put(row.getKey(), row.getValue()));
      return stored;
    }

    void assertWithoutGaps(int rows) {
      assertThat(stored().values())
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, rows).boxed().toList());
      assertThat(store.state("entries").blockOptional(LIMIT).orElseThrow().nextValue())
          .isEqualTo(rows + 1);
    }

    @Test
    void writesARowOfSeveralNumbersInATransaction() {
      RowWriter<Line> pairs =
          R2dbcInserts.into(watched, "entries", Line::writeTo)
              .key("id")
              .numbered(
                  store.transactionals(),
                  any -> "entries",
                  any -> 2,
                  (line, numbers) -> line.withNumber(numbers.get(1)))
              .writer();
      List<Long> second = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        second.add(pairs.write(line("pair")).blockOptional(LIMIT).orElseThrow().number());
      }
      assertThat(second).containsExactly(2L, 4L, 6L);
      assertThat(statements()).isZero();
      assertThat(store.state("entries").blockOptional(LIMIT).orElseThrow().nextValue())
          .isEqualTo(7);
      pairs.disposeLater().block(LIMIT);
    }

    @Test
    void writesARowWithTheExpectedNumberInOneStatement() {
      begin();
      assertThat(write("third")).isEqualTo(3);
      assertThat(write("fourth")).isEqualTo(4);
      assertThat(statements()).isEqualTo(2);
      assertThat(watched.log()).hasSize(2 * 3).contains("create", "close").doesNotContain("begin");
      assertWithoutGaps(4);
    }

    @Test
    void writesARowWithTheExpectedNumberOfItsPeriodInOneStatement() {
      RowWriter<Line> periodic =
          R2dbcInserts.into(watched, "entries", Line::writeTo)
              .key("id")
              .numbered(
                  store.transactionals(),
                  PeriodicNumbers.of("entries", Period.YEAR)
                      .clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)),
                  (line, value) -> line.withNumber(value.number()))
              .writer();
      for (long number = 1; number <= 5; number++) {
        assertThat(periodic.write(line("item")).map(Line::number).block(LIMIT)).isEqualTo(number);
      }
      assertThat(transactions()).as("until the number is known").isEqualTo(2);
      assertThat(statements()).isEqualTo(3);
      periodic.disposeLater().block(LIMIT);
    }

    /** The row was refused, and is certainly not written. */
    static void assertCertain(Throwable refused) {
      assertThat(refused)
          .isInstanceOfSatisfying(
              InsertFailedException.class, e -> assertThat(e.isOutcomeUnknown()).isFalse());
    }

    private void assertFoundAfter(Throwable lost) {
      begin();
      watched.loseAnswer(Behaviour::isOneStatement, lost);
      assertThat(write("third")).isEqualTo(3);
      assertThat(transactions()).as("the row was found").isZero();
      assertWithoutGaps(3);
    }

    private void assertWritesInTransactions(RowWriter<Line> unknown) {
      for (int number = 1; number <= 5; number++) {
        unknown.write(line("item")).block(LIMIT);
      }
      assertThat(transactions()).isEqualTo(5);
      assertThat(statements()).isZero();
      unknown.disposeLater().block(LIMIT);
    }

    @Test
    void withoutAKeyRowsAreWrittenInTransactions() {
      RowWriter<Line> keyless = inserts(watched).writer();
      assertWritesInTransactions(keyless);
    }

    @Test
    void writesRowsInTransactionsIfTheirKeyHasTheNumber() {
      RowWriter<Line> byNumber =
          R2dbcInserts.<Line>into(
                  watched,
                  "entries",
                  (line, row) ->
                      row.set("id", "no. " + line.number()).set("item", "x").set("n", 1L))
              .key("id")
              .numbered(store.transactional("entries"), Line::withNumber)
              .writer();
      assertWritesInTransactions(byNumber);
    }

    @Test
    void writesRowsInTransactionsIfTheyHideTheirNumber() {
      RowWriter<Line> silent =
          R2dbcInserts.<Line>into(
                  watched,
                  "entries",
                  (line, row) -> row.set("id", line.id()).set("item", "x").set("n", 1L))
              .key("id")
              .numbered(store.transactional("entries"), Line::withNumber)
              .writer();
      assertWritesInTransactions(silent);
    }

    @Test
    void usesNoNumberThatAnotherProcessTook() {
      begin();
      store.reserve("entries", 5).block(LIMIT);
      assertThat(write("third")).isEqualTo(8);
      assertThat(statements()).as("the expected number was tried").isEqualTo(1);
      assertThat(stored()).containsEntry("line 2", 8L);
    }

    @Test
    void asksTheAssignerAgainWithTheRealNumber() {
      RowWriter<Line> even =
          R2dbcInserts.into(watched, "entries", Line::writeTo)
              .key("id")
              .numbered(
                  store.transactional("entries"),
                  (line, number) -> {
                    if (number == 3) {
                      throw new IllegalArgumentException("not 3");
                    }
                    return line.withNumber(number);
                  })
              .writer();
      even.write(line("first")).then(even.write(line("second"))).block(LIMIT);
      store.reserve("entries", 1).block(LIMIT);
      assertThat(even.write(line("third")).map(Line::number).block(LIMIT)).isEqualTo(4);
      even.disposeLater().block(LIMIT);
    }

    @Test
    void givesTheNumberOfARefusedRowToTheNextRow() {
      begin();
      Line known = new Line("line 0", "item", 0);
      Throwable refused = catchThrowable(() -> writer.write(known).block(LIMIT));
      assertThat(dialect().failure(refused)).isEqualTo(ErrorCategory.DUPLICATE_KEY);
      assertCertain(refused);
      assertThat(statements()).isEqualTo(1);
      assertThat(write("third")).isEqualTo(3);
      assertWithoutGaps(3);
    }

    @Test
    void aLostAnswerIsFoundByTheKeyOfTheRow() {
      assertFoundAfter(LOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"58000", "58030", "53100", "XX000", "57P01", "40003", "25P03", "HY000"})
    void looksRowsUpAfterAFailureThatMayHaveWrittenThem(String state) {
      assertFoundAfter(new R2dbcNonTransientResourceException("server failed", state));
    }

    /** An older server, or a proxy. Nothing can have been written, so no row is looked up. */
    @Test
    void writesInATransactionIfTheServerDoesNotKnowTheStatement() {
      begin();
      watched.refuse(
          Behaviour::isOneStatement, new R2dbcBadGrammarException("syntax error", "42000", 1064));
      assertThat(write("third")).isEqualTo(3);
      assertThat(transactions()).isEqualTo(1);
      assertThat(watched.log()).noneMatch(event -> event.matches("SELECT .*FROM .entries.*"));
      assertWithoutGaps(3);
    }

    /** The statement waits for the lock, and its connection is closed. */
    @Test
    void writesOnceWhenTheStatementTakesTooLong() {
      writer.disposeLater().block(LIMIT);
      writer = inserts(watched).key("id").transactionTimeout(Duration.ofSeconds(1)).writer();
      begin();
      Mono<Line> blocked =
          Mono.usingWhen(
              database.pooled().create(),
              connection ->
                  Mono.from(connection.beginTransaction())
                      .thenMany(
                          Flux.from(
                                  connection
                                      .createStatement("SELECT 1 FROM sequences FOR UPDATE")
                                      .execute())
                              .concatMap(result -> result.map((Readable row) -> 1)))
                      .then(
                          Mono.defer(
                              () -> {
                                Mono<Line> third = writer.write(line("third")).cache();
                                third.subscribe();
                                return Mono.delay(Duration.ofSeconds(3))
                                    .then(Mono.from(connection.rollbackTransaction()))
                                    .then(third);
                              })),
              Connection::close);
      assertThat(blocked.map(Line::number).block(LIMIT)).isEqualTo(3);
      assertThat(statements()).isEqualTo(1);
      assertWithoutGaps(3);
    }

    /** Two writers that compete, and a killer of their connections. */
    @Test
    void losesNoRowWhenConnectionsAreKilledAtRandom() {
      watched = new WatchedConnections(database.connections());
      ConnectionPool pool = Pools.of(2, watched);
      RowWriter<Line> other = inserts(pool).key("id").writer();
      writer = inserts(pool).key("id").writer();
      ConcurrentMap<String, Long> answered = new ConcurrentHashMap<>();
      AtomicInteger unknown = new AtomicInteger();
      AtomicBoolean running = new AtomicBoolean(true);
      Mono<Void> killer =
          Mono.fromRunnable(() -> database.execute(kill()))
              .subscribeOn(Schedulers.boundedElastic())
              .delaySubscription(Duration.ofMillis(50))
              .repeat(running::get)
              .then();
      Mono<Void> work =
          Flux.range(0, 20_000)
              .takeWhile(i -> i < 400 || watched.failed().isEmpty())
              .flatMap(
                  i ->
                      (i % 10 == 0 ? other : writer)
                          .write(new Line("row " + i, "item", 0))
                          .doOnNext(row -> answered.put(row.id(), row.number()))
                          .onErrorResume(
                              InsertFailedException.class,
                              failed -> {
                                unknown.addAndGet(failed.isOutcomeUnknown() ? 1 : 0);
                                return Mono.empty();
                              }),
                  3)
              .then()
              .doFinally(end -> running.set(false));
      Mono.when(work, killer).block(LIMIT);
      Mono.when(other.disposeLater(), pool.disposeLater().onErrorComplete()).block(LIMIT);

      System.out.println(
          statements()
              + " statements, "
              + transactions()
              + " transactions, "
              + watched.failed().size()
              + " failed, "
              + unknown
              + " unknown");
      assertThat(watched.failed()).isNotEmpty();
      assertThat(statements()).isPositive();
      Map<String, Long> stored = stored();
      assertThat(stored).containsAllEntriesOf(answered);
      assertThat(stored.size() - answered.size()).isBetween(0, unknown.get());
      assertWithoutGaps(stored.size());
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {

    @Override
    String kill() {
      return "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
          + " current_database() AND query LIKE '%\"entries\"%' AND pid <> pg_backend_pid() LIMIT 1";
    }

    @Test
    void rowsOfOneGroupAreSentAsArrays() {
      writeAll("a", "b");
      writeAll("c", "d");
      watched.clear();
      assertThat(writeAll("e", "f", "g")).containsExactly(5L, 6L, 7L);
      assertThat(watched.statements()).singleElement().asString().contains("unnest($4::");
      assertWithoutGaps(7);
    }

    /** A query may not write to a table with such a rule. */
    @Test
    void backsOffAfterRefusedStatement() {
      database.execute("CREATE RULE told AS ON INSERT TO entries DO ALSO NOTIFY entries");
      int rows = 60;
      for (int number = 1; number <= rows; number++) {
        assertThat(write("item")).isEqualTo(number);
      }
      assertThat(statements()).isBetween(2L, 5L);
      assertThat(transactions()).isEqualTo(rows);
      assertWithoutGaps(rows);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {

    private static final String WAITING =
        " information_schema.processlist WHERE state = 'User lock' AND db = DATABASE()";

    @Override
    String kill() {
      return "BEGIN NOT ATOMIC DECLARE victim BIGINT DEFAULT NULL; SELECT id INTO victim FROM"
          + " information_schema.processlist WHERE db = DATABASE() AND info LIKE '%`entries`%' AND"
          + " id <> CONNECTION_ID() LIMIT 1; IF victim IS NOT NULL THEN KILL victim; END IF; END";
    }

    @Test
    void rowsOfOneGroupAreSentInOneStatement() {
      begin();
      assertThat(writeAll("c", "d", "e")).containsExactly(3L, 4L, 5L);
      assertThat(statements()).isEqualTo(1);
      assertThat(transactions()).isZero();
      assertWithoutGaps(5);
    }

    /** The next transaction on the connection would commit what an open one has done. */
    @Test
    void leavesNoTransactionOpenAfterARefusedRow() {
      ConnectionPool pool = Pools.of(1, database.connections());
      RowWriter<Line> single = inserts(pool).key("id").writer();
      Line first = line("first");
      single.write(first).then(single.write(line("second"))).block(LIMIT);
      assertThat(catchThrowable(() -> single.write(first).block(LIMIT)))
          .isInstanceOf(InsertFailedException.class);
      assertThat(single.write(line("third")).map(Line::number).block(LIMIT)).isEqualTo(3);
      single.disposeLater().then(pool.disposeLater()).block(LIMIT);
      assertWithoutGaps(3);
    }

    @Test
    void leavesNoGapWhenTheStatementIsKilled() {
      database.execute(
          "CREATE TRIGGER slow BEFORE INSERT ON entries FOR EACH ROW IF NEW.item = 'slow' THEN SET"
              + " @taken = GET_LOCK('gate', 60); END IF");
      ConnectionPool pool = Pools.of(1, database.connections());
      RowWriter<Line> single = inserts(pool).key("id").writer();
      single.write(line("first")).then(single.write(line("second"))).block(LIMIT);
      Mono<Line> third = single.write(line("slow")).cache();
      Mono.usingWhen(
              database.pooled().create(),
              gate ->
                  select(gate, "GET_LOCK('gate', 0)")
                      .doOnNext(taken -> third.subscribe())
                      .thenMany(select(gate, "COUNT(*) FROM" + WAITING).repeat())
                      .filter(waiting -> waiting == 1)
                      .next()
                      .thenMany(
                          Flux.from(
                                  gate.createStatement(
                                          "BEGIN NOT ATOMIC DECLARE victim BIGINT; SELECT id INTO"
                                              + " victim FROM"
                                              + WAITING
                                              + "; KILL QUERY victim; END")
                                      .execute())
                              .concatMap(Result::getRowsUpdated))
                      .then(),
              gate -> select(gate, "RELEASE_LOCK('gate')").then(Mono.from(gate.close())))
          .block(LIMIT);
      assertThat(third.map(Line::number).block(LIMIT)).isEqualTo(3);
      assertThat(single.write(line("fourth")).map(Line::number).block(LIMIT)).isEqualTo(4);
      single.disposeLater().then(pool.disposeLater()).block(LIMIT);
      assertWithoutGaps(4);
    }

    private Mono<Long> select(Connection connection, String expression) {
      return Flux.from(connection.createStatement("SELECT " + expression).execute())
          .concatMap(
              result ->
                  result.map((Readable row) -> Objects.requireNonNull(row.get(0, Long.class))))
          .single();
    }
  }
}
