package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.TransactionalSequence;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What differs in MySQL and MariaDB, on their servers. */
class MySqlFactsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  abstract static class Behaviour {

    private R2dbcDatabase database;
    private R2dbcDialect dialect;
    private R2dbcSequenceStore store;
    private String name;

    @BeforeEach
    void create(R2dbcDatabase created) {
      database = created;
      dialect = Objects.requireNonNull(R2dbcDialect.of(created.connections()).block(LIMIT));
      store = R2dbcSequenceStore.create(created.connections());
      name = UUID.randomUUID().toString();
      store.createTable().then(store.create(name, 1)).block(LIMIT);
    }

    private ConnectionFactory with(String... variables) {
      String at = database.toString();
      return MySqlServer.connections(
          database.kind(),
          at.substring(0, at.indexOf(' ')),
          Integer.parseInt(at.substring(at.lastIndexOf(':') + 1)),
          variables);
    }

    private Connection connect() {
      return Mono.from(database.connections().create())
          .cast(Connection.class)
          .blockOptional(LIMIT)
          .orElseThrow();
    }

    private static Mono<Void> run(Connection connection, String sql) {
      return Flux.defer(() -> connection.createStatement(sql).execute())
          .concatMap(Result::getRowsUpdated)
          .then();
    }

    private static <T> T close(Connection connection, T result) {
      Mono.defer(() -> Mono.from(connection.rollbackTransaction()))
          .onErrorComplete()
          .then(Mono.defer(() -> Mono.from(connection.close())))
          .block(LIMIT);
      return result;
    }

    private long nextValue() {
      return store.state(name).map(SequenceState::nextValue).blockOptional(LIMIT).orElseThrow();
    }

    @Test
    void namesThatDifferInCaseAccentsOrSpacesAreDifferentCounters() {
      List<String> names =
          List.of("r", "R", "r ", " r", "ŕ", "r\u0301", "ß", "ss", "😀", "😁", "ｒ");
      for (int i = 0; i < names.size(); i++) {
        store.create(names.get(i), 100 * (i + 1)).block(LIMIT);
      }
      for (int i = 0; i < names.size(); i++) {
        assertThat(store.reserve(names.get(i), 2).block(LIMIT))
            .as(names.get(i))
            .isEqualTo(SequenceBlock.of(100 * (i + 1), 2));
      }
    }

    @Test
    void aNameIsNoSqlWhateverTheSessionsModeIs() {
      for (String mode : List.of("''", "'NO_BACKSLASH_ESCAPES'", "'ANSI_QUOTES'")) {
        R2dbcSequenceStore other = R2dbcSequenceStore.create(with("sql_mode=" + mode));
        for (String hostile : List.of("\\", "\\' OR 1=1 -- ", "' OR '1'='1", "\\\\'", "?", "\"")) {
          String sequence = hostile + mode.length();
          other.create(sequence, 7).block(LIMIT);
          assertThat(other.reserve(sequence, 1).block(LIMIT)).isEqualTo(SequenceBlock.of(7, 1));
          assertThat(store.state(sequence).block(LIMIT)).isEqualTo(new SequenceState(sequence, 8));
        }
        other.close().block(LIMIT);
      }
      assertThat(nextValue()).isEqualTo(1);
    }

    @Test
    void aTransactionWithAnOldSnapshotTakesTheNewestValue() {
      Connection connection = connect();
      Mono.from(connection.setTransactionIsolationLevel(IsolationLevel.REPEATABLE_READ))
          .then(Mono.from(connection.beginTransaction()))
          .block(LIMIT);
      Flux.from(connection.createStatement("SELECT * FROM sequences").execute())
          .flatMap(result -> result.map(row -> 1))
          .blockLast(LIMIT);
      store.reserve(name, 41).block(LIMIT);

      Long taken = store.transactional(name).next(connection).block(LIMIT);
      Mono.from(connection.commitTransaction()).then(Mono.from(connection.close())).block(LIMIT);
      assertThat(taken).isEqualTo(42);
      assertThat(nextValue()).isEqualTo(43);
    }

    /** MySQL ends the transaction, and the driver does not notice. MariaDB begins another one. */
    @Test
    void givesNoNumberAfterALostDeadlock() {
      database.execute(
          "CREATE TABLE IF NOT EXISTS pair (id INT PRIMARY KEY, n INT)",
          "DELETE FROM pair",
          "INSERT INTO pair VALUES (1, 0), (2, 0)");
      TransactionalSequence<Connection> sequence = store.transactional(name);
      Connection loser = connect();
      Connection winner = connect();
      Mono.from(loser.beginTransaction()).then(Mono.from(winner.beginTransaction())).block(LIMIT);
      // The server ends the transaction that has written less.
      run(winner, "UPDATE pair SET n = 1 WHERE id = 2").block(LIMIT);
      run(winner, "INSERT INTO pair VALUES (3, 0), (4, 0), (5, 0), (6, 0)").block(LIMIT);
      run(loser, "UPDATE pair SET n = 1 WHERE id = 1").block(LIMIT);
      Mono<Void> blocked = run(winner, "UPDATE pair SET n = 2 WHERE id = 1").cache();
      blocked.subscribe();
      Throwable lost =
          catchThrowable(() -> run(loser, "UPDATE pair SET n = 2 WHERE id = 2").block(LIMIT));
      blocked.block(LIMIT);
      assertThat(dialect.failure(lost)).isEqualTo(ErrorCategory.CONFLICT);

      if (database.kind() == DatabaseKind.MYSQL) {
        assertThat(catchThrowable(() -> sequence.next(loser).block(LIMIT)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("ended it after a failure");
      } else {
        assertThat(sequence.next(loser).block(LIMIT)).as("to be rolled back").isEqualTo(1);
      }
      close(loser, close(winner, true));
      assertThat(nextValue()).as("nothing was taken").isEqualTo(1);
    }

    /** As an application's own statement on the same connection does when it loses a deadlock. */
    @Test
    void takesNoNumberTwiceIfTheTransactionEndsInBetween() {
      Connection connection = connect();
      Mono.from(connection.beginTransaction()).block(LIMIT);
      AtomicReference<@Nullable SequenceBlock> reserved = new AtomicReference<>();
      Mono<?> inBetween =
          run(connection, "ROLLBACK").then(store.reserve(name, 1)).doOnNext(reserved::set).cache();
      Connection ending =
          Proxies.of(
              Connection.class,
              (self, method, arguments) ->
                  method.getName().equals("createStatement")
                          && arguments[0].toString().startsWith("UPDATE")
                      ? after(inBetween, connection.createStatement(arguments[0].toString()))
                      : Proxies.call(connection, method, arguments));

      assertThatThrownBy(() -> store.transactional(name).next(ending).block(LIMIT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ended it after a failure");
      close(connection, true);
      assertThat(reserved.get()).isEqualTo(SequenceBlock.of(1, 1));
      assertThat(nextValue()).isEqualTo(2);
    }

    /** A statement that is sent when something else is done. */
    private static Statement after(Mono<?> first, Statement statement) {
      return Proxies.of(
          Statement.class,
          (self, method, arguments) -> {
            if (method.getName().equals("execute")) {
              return first.thenMany(Flux.defer(statement::execute));
            }
            Proxies.call(statement, method, arguments);
            return self;
          });
    }

    @Test
    void refusesAConnectionWithAutocommitOff() {
      Throwable refused =
          catchThrowable(
              () -> R2dbcSequenceStore.create(with("autocommit=0")).reserve(name, 1).block(LIMIT));
      assertThat(refused)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("autocommit");
      assertThat(nextValue()).isEqualTo(1);
    }

    @Test
    void worksOnAServerWithAutocommitOff() {
      database.execute(
          "CREATE TABLE kept (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
          "SET GLOBAL autocommit = 0");
      try {
        String created = name + " 2";
        R2dbcSequenceStore first = R2dbcSequenceStore.create(with());
        R2dbcSequenceStore second = R2dbcSequenceStore.create(with());
        first.create(created, 7).block(LIMIT);
        for (R2dbcSequenceStore each : List.of(first, second, first)) {
          assertThat(each.reserve(name, 1).block(LIMIT)).isNotNull();
        }
        R2dbcInserts<Note> unkeyed = intoKept();
        R2dbcInserts<Note> keyed = intoKept().key("id");
        R2dbcInserts<Note> numbered =
            intoKept().numbered(first.transactional(created), (note, number) -> note);
        long id = 0;
        for (R2dbcInserts<Note> inserts : List.of(unkeyed, keyed, numbered)) {
          for (int group = 0; group < 3; group++) {
            assertThat(
                    Flux.just(new Note(id++, "a"), new Note(id++, "b"))
                        .transform(inserts.outcomes())
                        .collectList()
                        .block(LIMIT))
                .hasOnlyElementsOfType(InsertOutcome.Committed.class);
          }
        }
        TransactionalSequence<Connection> sequence = first.transactional(created);
        assertThat(R2dbcTransactions.over(with()).readWrite(sequence::next).block(LIMIT))
            .isEqualTo(13);
        first.close().then(second.close()).block(LIMIT);
        assertThat(nextValue()).isEqualTo(4);
        assertThat(store.state(created).block(LIMIT)).isEqualTo(new SequenceState(created, 14));
        assertThat(stored("kept")).isEqualTo(id);
      } finally {
        database.execute("SET GLOBAL autocommit = 1");
      }
    }

    /** Where {@code READ UNCOMMITTED} is the default. Such rows go with their connection. */
    @Test
    void rowsWhoseCommitHangsAreNotTakenForWritten() {
      database.execute("CREATE TABLE hung (id BIGINT PRIMARY KEY, n BIGINT, m BIGINT)");
      WatchedConnections watched =
          new WatchedConnections(with("transaction_isolation='READ-UNCOMMITTED'"));
      watched.atNext("commit"::equals, commit -> Flux.never());
      Flux<InsertOutcome<Long>> outcomes =
          Flux.just(1L, 2L)
              .transform(
                  R2dbcInserts.<Long>into(
                          watched,
                          "hung",
                          (id, row) -> row.set("id", id).set(id == 1 ? "n" : "m", id))
                      .key("id")
                      .transactionTimeout(Duration.ofSeconds(2))
                      .retries(9, Duration.ofMillis(1), Duration.ofSeconds(1))
                      .outcomes());
      assertThat(outcomes.collectList().block(LIMIT))
          .hasOnlyElementsOfType(InsertOutcome.Committed.class);
      watched.awaitClosed();
      assertThat(stored("hung")).isEqualTo(2);
    }

    private R2dbcInserts<Note> intoKept() {
      return R2dbcInserts.into(with(), "kept", (note, row) -> row.set("id", note.id()).set("n", 0));
    }

    private long stored(String table) {
      Connection connection = connect();
      Long rows =
          Results.firstValue(
                  connection.createStatement("SELECT COUNT(*) FROM " + table), Long.class)
              .blockOptional(LIMIT)
              .orElseThrow();
      return close(connection, rows);
    }

    @Test
    void triesAgainAfterALockTimeout() {
      Connection holder = connect();
      Mono.from(holder.beginTransaction()).block(LIMIT);
      run(holder, "UPDATE sequences SET next_value = next_value + 1").block(LIMIT);
      WatchedConnections watched = new WatchedConnections(with("innodb_lock_wait_timeout=1"));
      Mono<SequenceBlock> waiting = R2dbcSequenceStore.create(watched).reserve(name, 1).cache();
      waiting.subscribe();
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  watched.statements().stream().filter(sql -> sql.startsWith("UPDATE")).count()
                      > 1);
      close(holder, true);
      assertThat(waiting.block(LIMIT)).isEqualTo(SequenceBlock.of(1, 1));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "INSERT INTO facts (id) VALUES (1), (1) | DUPLICATE_KEY",
          "INSERT INTO facts (id, s) VALUES (1, 'too long') | REFUSED",
          "INSERT INTO facts (id, n) VALUES (1, 300) | REFUSED",
          "INSERT INTO facts (id, n) VALUES (1, 'x') | REFUSED",
          "INSERT INTO facts (id, n) VALUES (1, NULL) | REFUSED",
          "INSERT INTO facts (id, d) VALUES (1, '2020-13-01') | REFUSED",
          "INSERT INTO facts (id, j) VALUES (1, '{') | REFUSED",
          "INSERT INTO facts (id, n) VALUES (1, -1) | REFUSED",
          "INSERT INTO facts (id, e) VALUES (1, 'c') | REFUSED",
          "INSERT INTO facts (s) VALUES ('a') | REFUSED",
          "INSERT INTO facts (id, s) VALUES (1) | REFUSED",
          "INSERT INTO facts (nope) VALUES (1) | REFUSED",
          "INSERT INTO facts (id, parent) VALUES (1, 99) | REFUSED",
          "INSERT INTO nowhere (id) VALUES (1) | TABLE_MISSING",
          "INSERT INTO nodb.nowhere (id) VALUES (1) | TABLE_MISSING",
          "INSERT INTO facts (id) VALUES (9223372036854775807 + 1) | REFUSED",
          "KILL CONNECTION_ID() | OTHER",
          "SELEKT 1 | REFUSED"
        })
    void aFailureOfTheServerHasItsMeaning(String sql, ErrorCategory kind) {
      database.execute(
          "CREATE TABLE IF NOT EXISTS facts (id BIGINT PRIMARY KEY, s VARCHAR(3), n TINYINT NOT"
              + " NULL DEFAULT 0 CHECK (n >= 0), d DATE, j JSON, e ENUM('a', 'b'), parent BIGINT,"
              + " FOREIGN KEY (parent) REFERENCES facts (id))");
      Connection connection = connect();
      Throwable failure = catchThrowable(() -> run(connection, sql).block(LIMIT));
      close(connection, true);
      assertThat(failure).isNotNull();
      if (kind == ErrorCategory.OTHER) {
        assertThat(dialect.failure(failure))
            .isIn(ErrorCategory.OTHER, ErrorCategory.CONNECTION_LOST);
      } else {
        assertThat(dialect.failure(failure)).as("%s", failure).isEqualTo(kind);
      }
    }

    record Note(long id, String text) {
      void writeTo(InsertRow row) {
        row.set("id", id).set("text", text);
      }
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends Behaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {

    /** Default from MariaDB 11.6.2 on. */
    @Test
    void aSnapshotThatIsTooOldIsAConflict(R2dbcDatabase database) {
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
      store.createTable().then(store.create("old", 1)).block(LIMIT);
      Connection connection =
          Mono.from(database.connections().create())
              .cast(Connection.class)
              .blockOptional(LIMIT)
              .orElseThrow();
      Behaviour.run(connection, "SET innodb_snapshot_isolation = ON").block(LIMIT);
      Mono.from(connection.beginTransaction()).block(LIMIT);
      Flux.from(connection.createStatement("SELECT * FROM sequences").execute())
          .flatMap(result -> result.map(row -> 1))
          .blockLast(LIMIT);
      store.reserve("old", 1).block(LIMIT);
      Throwable failure =
          catchThrowable(() -> store.transactional("old").next(connection).block(LIMIT));
      Behaviour.close(connection, true);
      assertThat(R2dbcDialect.MARIADB.failure(failure)).isEqualTo(ErrorCategory.CONFLICT);
      assertThat(store.reserve("old", 1).block(LIMIT)).isEqualTo(SequenceBlock.of(2, 1));
    }
  }
}
