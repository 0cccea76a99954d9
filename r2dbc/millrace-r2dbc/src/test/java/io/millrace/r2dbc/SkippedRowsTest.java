package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** PostgreSQL answers that it wrote fewer rows than it was sent. */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class SkippedRowsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String BAD = "bad";

  private record Report(long id, String text, long number) {

    Report withNumber(long taken) {
      return new Report(id, text, taken);
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("text", text).set("n", number);
    }
  }

  private R2dbcDatabase database;
  private R2dbcSequenceStore store;
  private R2dbcInserts<Report> keyed;
  private R2dbcInserts<Report> numbered;

  @BeforeEach
  void connect(R2dbcDatabase created) {
    database = created;
    database.execute(
        "DROP TABLE IF EXISTS others, reports, sequences",
        "CREATE TABLE reports (id BIGINT PRIMARY KEY, text VARCHAR(20), n BIGINT)",
        "CREATE TABLE others (id BIGINT PRIMARY KEY, text VARCHAR(20), n BIGINT) INHERITS (reports)");
    store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().then(store.create("reports", 1)).block(LIMIT);
    keyed = inserts();
    numbered = inserts().numbered(store.transactional("reports"), Report::withNumber);
  }

  @AfterEach
  void close() {
    store.close().block(LIMIT);
  }

  private R2dbcInserts<Report> inserts() {
    return R2dbcInserts.into(database.pooled(), "reports", Report::writeTo)
        .key("id")
        .groupSize(10)
        .retries(1, Duration.ofDays(1), Duration.ofDays(1));
  }

  /** Runs at each row; returns the row that is written instead, or NULL. */
  private void trigger(String body) {
    database.execute(
        "CREATE OR REPLACE FUNCTION instead() RETURNS trigger AS $$ BEGIN "
            + body
            + " RETURN NEW; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER instead BEFORE INSERT ON reports FOR EACH ROW EXECUTE FUNCTION instead()");
  }

  private void change(String change) {
    if (change.startsWith("CREATE")) {
      database.execute(change);
    } else {
      trigger(change);
    }
  }

  /** Ten rows, the sixth of which is a bad one. */
  private static List<InsertOutcome<Report>> outcomes(long first, R2dbcInserts<Report> inserts) {
    return Flux.fromStream(LongStream.range(first, first + 10).boxed())
        .map(id -> new Report(id, id == first + 5 ? BAD : "good", 0))
        .transform(inserts.ordered().outcomes())
        .collectList()
        .blockOptional(LIMIT)
        .orElseThrow();
  }

  private long next() {
    return store.state("reports").blockOptional(LIMIT).orElseThrow().nextValue();
  }

  private long stored() {
    return database.query("SELECT id FROM reports", row -> 1).size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "IF NEW.text = 'bad' THEN RETURN NULL; END IF;",
        "CREATE RULE instead AS ON INSERT TO reports WHERE NEW.text = 'bad' DO INSTEAD NOTHING"
      })
  void onlyASkippedRowIsRejectedAndTakesNoNumber(String skip) {
    change(skip);
    int groups = 0;
    for (R2dbcInserts<Report> inserts : List.of(keyed, keyed, numbered, numbered, numbered)) {
      List<InsertOutcome<Report>> outcomes = outcomes(100L * groups++, inserts);
      assertThat(outcomes).hasSize(10);
      assertThat(outcomes.get(5))
          .asInstanceOf(InstanceOfAssertFactories.type(Rejected.class))
          .extracting(Rejected::reason)
          .isInstanceOf(RowSkippedException.class);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome != outcomes.get(5))
          .hasOnlyElementsOfType(Committed.class);
    }
    assertThat(stored()).isEqualTo(9L * groups);
    assertThat(next()).isEqualTo(1 + 9 * 3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO others VALUES (NEW.*); RETURN NULL;",
        "IF NEW.text = 'bad' THEN INSERT INTO others VALUES (NEW.*); RETURN NULL; END IF;",
        "CREATE RULE instead AS ON INSERT TO reports WHERE NEW.text = 'bad' DO INSTEAD INSERT INTO"
            + " others VALUES (NEW.*)",
        "CREATE RULE too AS ON INSERT TO reports DO ALSO NOTIFY reports"
      })
  void rowsThatAreStoredInAnotherTableAreWritten(String elsewhere) {
    change(elsewhere);
    int groups = 0;
    for (R2dbcInserts<Report> inserts : List.of(keyed, keyed, numbered, numbered, numbered)) {
      assertThat(outcomes(100L * groups++, inserts))
          .hasSize(10)
          .hasOnlyElementsOfType(Committed.class);
    }
    assertThat(stored()).isEqualTo(10L * groups);
    assertThat(next()).isEqualTo(1 + 10 * 3);
  }

  @Test
  void writesNoneOfTheRowsThatBelongTogetherIfOneIsSkipped() {
    trigger("IF NEW.text = 'bad' THEN RETURN NULL; END IF;");
    RowWriter<Report> writer = keyed.writer();
    assertThatThrownBy(
            () ->
                writer
                    .writeAll(
                        List.of(
                            new Report(1, "good", 0),
                            new Report(2, BAD, 0),
                            new Report(3, "good", 0)))
                    .block(LIMIT))
        .isInstanceOfSatisfying(
            InsertFailedException.class, e -> assertThat(e.isOutcomeUnknown()).isFalse())
        .hasCauseInstanceOf(RowSkippedException.class);
    assertThat(stored()).isZero();
    writer.disposeLater().block(LIMIT);
  }

  @Test
  void aRowThatIsSkippedBecauseItsKeyExistsTakesNoNumber() {
    trigger("IF EXISTS (SELECT 1 FROM reports WHERE id = NEW.id) THEN RETURN NULL; END IF;");
    assertThat(outcomes(0, numbered)).hasOnlyElementsOfType(Committed.class);
    assertThat(outcomes(5, numbered))
        .satisfies(all -> assertThat(all.subList(0, 5)).hasOnlyElementsOfType(Rejected.class))
        .satisfies(all -> assertThat(all.subList(5, 10)).hasOnlyElementsOfType(Committed.class));
    assertThat(next()).isEqualTo(16);
  }
}
