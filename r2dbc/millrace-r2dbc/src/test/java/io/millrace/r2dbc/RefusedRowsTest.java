package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

/** A row that the database refuses for any reason is rejected, and its group is written. */
class RefusedRowsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private record Report(long id, String text, long number) {

    Report withNumber(long taken) {
      return new Report(id, text, taken);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("text", text).set("n", number);
    }

    @Override
    public String toString() {
      return "Report " + id;
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    /** What is executed, so that the database refuses a report whose text begins with "bad". */
    abstract Stream<String> refusals();

    void refuse(R2dbcDatabase database, String refusal) {
      database.execute(refusal);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void onlyTheRowIsRejectedAndAtOnce(String refusal, R2dbcDatabase database) {
      database.execute(
          database.kind().quoted("DROP TABLE IF EXISTS \"reports\""),
          database
              .kind()
              .quoted(
                  "CREATE TABLE \"reports\" (\"id\" BIGINT PRIMARY KEY, \"text\" VARCHAR(12000) NOT"
                      + " NULL, \"n\" BIGINT NOT NULL)"));
      refuse(database, refusal);
      R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
      store.createTable().then(store.create("reports", 1).onErrorComplete()).block(LIMIT);
      R2dbcInserts<Report> keyless =
          R2dbcInserts.into(database.pooled(), "reports", Report::writeTo)
              .ordered()
              .groupSize(10)
              .retries(1, Duration.ofDays(1), Duration.ofDays(1));
      assertOnlyTheFifthIsRejected(100, keyless);
      assertOnlyTheFifthIsRejected(200, keyless.key("id"));
      R2dbcInserts<Report> numbered =
          keyless.key("id").numbered(store.transactional("reports"), Report::withNumber);
      for (int first = 300; first < 600; first += 100) {
        assertThat(assertOnlyTheFifthIsRejected(first, numbered))
            .extracting(Report::number)
            .isSorted();
      }
      assertThat(store.state("reports").map(state -> state.nextValue() % 9).block(LIMIT))
          .as("no number is taken for a refused row")
          .isEqualTo(1);
      store.close().block(LIMIT);
    }

    private static List<Report> assertOnlyTheFifthIsRejected(
        long first, R2dbcInserts<Report> inserts) {
      List<InsertOutcome<Report>> outcomes =
          Flux.fromStream(LongStream.range(first, first + 10).boxed())
              .map(id -> new Report(id, id == first + 5 ? BAD : "good", 0))
              .transform(inserts.outcomes())
              .collectList()
              .blockOptional(LIMIT)
              .orElseThrow();
      assertThat(outcomes).hasSize(10);
      assertThat(outcomes.get(5)).isInstanceOf(Rejected.class);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome != outcomes.get(5))
          .hasOnlyElementsOfType(Committed.class);
      return outcomes.stream()
          .map(InsertOutcome::row)
          .filter(row -> !row.text().equals(BAD))
          .toList();
    }
  }

  /** Too long for an index of PostgreSQL, even when it is compressed. */
  private static final String BAD =
      new Random(1)
          .ints(10_000, '0', 'z')
          .filter(Character::isLetterOrDigit)
          .mapToObj(Character::toString)
          .collect(Collectors.joining("", "bad", ""));

  @Nested
  @DatabaseTest(DatabaseKind.POSTGRESQL)
  class PostgreSql extends Behaviour {

    @Override
    Stream<String> refusals() {
      return Stream.of(
          "RAISE EXCEPTION 'bad'",
          "RAISE EXCEPTION 'bad' USING ERRCODE = 'ZZ001'",
          "RAISE EXCEPTION 'bad' USING ERRCODE = '42501'",
          "RAISE EXCEPTION 'bad' USING ERRCODE = '55000'",
          "ASSERT FALSE",
          "PERFORM 1 FROM nowhere",
          "CREATE INDEX ON reports (text)",
          "INITIALLY DEFERRED");
    }

    @Override
    void refuse(R2dbcDatabase database, String refusal) {
      boolean deferred = refusal.equals("INITIALLY DEFERRED");
      if (refusal.startsWith("CREATE")) {
        database.execute(refusal);
      } else {
        database.execute(
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS $$ BEGIN IF NEW.text LIKE 'bad%'"
                + (" THEN " + (deferred ? "RAISE EXCEPTION 'bad'" : refusal) + "; END IF;")
                + " RETURN NEW; END $$ LANGUAGE plpgsql",
            deferred
                ? "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON reports DEFERRABLE INITIALLY"
                    + " DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"
                : "CREATE TRIGGER refuse BEFORE INSERT ON reports FOR EACH ROW EXECUTE FUNCTION"
                    + " refuse()");
      }
    }
  }

  abstract static class MySqlBehaviour extends Behaviour {

    @Override
    Stream<String> refusals() {
      return Stream.of(
          "SIGNAL SQLSTATE '45000'",
          "SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 5001",
          "SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 30001",
          "SIGNAL SQLSTATE '02001'",
          "INSERT INTO nowhere VALUES (1)");
    }

    @Override
    void refuse(R2dbcDatabase database, String refusal) {
      database.execute(
          "CREATE TRIGGER refuse BEFORE INSERT ON reports FOR EACH ROW IF NEW.text LIKE 'bad%' THEN "
              + refusal
              + "; END IF");
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  class MySql extends MySqlBehaviour {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends MySqlBehaviour {}

  /** Throws what its name says. */
  public static final class Refusing implements Trigger {

    private String name = "";

    @Override
    public void init(
        Connection connection, String schema, String trigger, String table, boolean before, int t) {
      name = trigger;
    }

    @Override
    public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after)
        throws SQLException {
      if (after != null && after[1].toString().startsWith("bad")) {
        switch (name) {
          case "STATE" -> throw new SQLException("bad", "45000");
          case "NO_STATE" -> throw new SQLException("bad");
          default -> throw new IllegalStateException("bad");
        }
      }
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {

    @Override
    Stream<String> refusals() {
      return Stream.of("STATE", "NO_STATE", "RUNTIME");
    }

    @Override
    void refuse(R2dbcDatabase database, String refusal) {
      database.execute(
          "CREATE TRIGGER "
              + refusal
              + " BEFORE INSERT ON \"reports\" FOR EACH ROW CALL '"
              + Refusing.class.getName()
              + "'");
    }
  }
}
