package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Value;
import com.google.spanner.v1.CommitRequest;
import io.grpc.Status;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequences;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.Inserts;
import io.millrace.test.contract.ContractRow;
import io.millrace.test.contract.LostAnswersContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** How a pipeline handles commits that were not answered, on a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LostAnswersBehaviour extends LostAnswersContract<SpannerTransaction> {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Not repeated by the client itself, as UNAVAILABLE would be. */
  private static final Status LOST = Status.INTERNAL.withDescription("the answer was lost");

  /** Time enough to send a commit. */
  private static final Duration IN_TIME = Duration.ofSeconds(2);

  private EmulatorDatabase database;
  private DatabaseClient plain;
  private SpannerSequenceStore store;
  private Wire wire;

  @BeforeAll
  void keep(EmulatorDatabase created) {
    database = created;
    plain = created.client();
    store = SpannerSequenceStore.create(plain);
    created.update(store.createTableDdl(created.dialect()));
    ContractRows.createTables(created);
  }

  @BeforeEach
  void open() {
    plain.write(List.of(Mutation.delete("letters", KeySet.all())));
    wire = new Wire(database);
  }

  @AfterEach
  void close() {
    wire.close();
  }

  @Override
  protected SequenceStore store() {
    return store;
  }

  @Override
  protected Inserts<ContractRow, SpannerTransaction, ?> inserts(String table) {
    return ContractRows.inserts(wire.client(), table);
  }

  @Override
  protected TransactionalSequences<SpannerTransaction> transactionals(boolean another) {
    return store.transactionals();
  }

  @Override
  protected List<ContractRow> stored(String table) {
    return ContractRows.stored(plain, table);
  }

  @Override
  protected void loseNextCommit(boolean applied) {
    if (applied) {
      wire.answerCommitWith(LOST);
    } else {
      wire.loseCommitAndEnd(LOST);
    }
  }

  private boolean isPostgreSql() {
    return database.dialect() == Dialect.POSTGRESQL;
  }

  private static void note(Long id, Mutation.WriteBuilder row) {
    row.set("id").to(id).set("note").to("n" + id);
  }

  private static Mutation note(long id, String note) {
    return Mutation.newInsertBuilder("letters").set("id").to(id).set("note").to(note).build();
  }

  private SpannerInserts<Long> inserts(
      String table, BiConsumer<Long, Mutation.WriteBuilder> columns) {
    return quick(SpannerInserts.into(wire.client(), table, columns));
  }

  private static SpannerInserts<Long> quick(SpannerInserts<Long> inserts) {
    return inserts.retries(3, Duration.ofMillis(1), Duration.ofMillis(10));
  }

  private SpannerInserts<Long> notes() {
    return inserts("letters", LostAnswersBehaviour::note);
  }

  private static List<InsertOutcome<Long>> outcomes(SpannerInserts<Long> inserts, Long... rows) {
    return Objects.requireNonNull(
        Flux.just(rows).transform(inserts.ordered().outcomes()).collectList().block(LIMIT));
  }

  private List<Long> stored() {
    try (ResultSet rows = plain.singleUse().read("letters", KeySet.all(), List.of("id"))) {
      return LongStream.generate(() -> rows.next() ? rows.getLong(0) : -1)
          .takeWhile(id -> id >= 0)
          .boxed()
          .toList();
    }
  }

  private int commits() {
    return wire.requests(CommitRequest.class).size();
  }

  private static void assertAll(List<InsertOutcome<Long>> outcomes, Class<?> kind, int count) {
    assertThat(outcomes).hasSize(count).allSatisfy(o -> assertThat(o).isInstanceOf(kind));
  }

  @Test
  void findsALostCommitThatTakesEffectAfterTheLookUp() {
    wire.lose("Commit", LOST);
    wire.before("Commit", () -> plain.write(List.of(note(1, "n1"), note(2, "n2"))));
    assertAll(outcomes(notes(), 1L, 2L), Committed.class, 2);
    assertThat(commits()).as("refused").isOne();
    assertThat(stored()).containsExactly(1L, 2L);
  }

  private List<InsertOutcome<Long>> updates(Long... rows) {
    return outcomes(
        inserts("letters", (id, row) -> row.set("id").to(id).set("note").to("new"))
            .insertOrUpdate(),
        rows);
  }

  private String noteOf(long id) {
    return Objects.requireNonNull(plain.singleUse().readRow("letters", Key.of(id), List.of("note")))
        .getString(0);
  }

  @Test
  void writesAnUpsertAgainIfItsCommitWasLost() {
    plain.write(List.of(note(1, "old"), note(2, "old")));
    wire.lose("Commit", LOST);
    assertAll(updates(1L, 2L), Committed.class, 2);
    assertThat(noteOf(1)).isEqualTo("new");
    assertThat(noteOf(2)).isEqualTo("new");
  }

  @Test
  void writesNoUpsertAgainThatTookEffect() {
    plain.write(List.of(note(1, "old")));
    wire.answerCommitWith(LOST);
    assertAll(updates(1L, 2L), Committed.class, 2);
    assertThat(commits()).isOne();
    assertThat(noteOf(1)).isEqualTo("new");
    assertThat(stored()).containsExactly(1L, 2L);
  }

  @Test
  void anUpsertWithACommitTimestampIsWrittenAgainIfItsCommitWasLost() {
    Timestamp old = Timestamp.parseTimestamp("2020-01-01T00:00:00Z");
    Mutation row =
        Mutation.newInsertOrUpdateBuilder("stamped").set("id").to(9).set("made").to(old).build();
    plain.write(List.of(row));
    wire.lose("Commit", LOST);
    SpannerInserts<Long> touch =
        inserts("stamped", (id, set) -> set.set("id").to(id).set("made").to(Value.COMMIT_TIMESTAMP))
            .insertOrUpdate();
    assertAll(outcomes(touch, 9L), Committed.class, 1);
    assertThat(
            Objects.requireNonNull(plain.singleUse().readRow("stamped", Key.of(9), List.of("made")))
                .getTimestamp(0))
        .isGreaterThan(old);
  }

  @Test
  void anUpsertWhoseRowsCannotBeReadBackIsWrittenAgain() {
    wire.answerCommitWith(LOST);
    assertAll(
        outcomes(inserts("generated", LostAnswersBehaviour::note).insertOrUpdate(), 1L),
        Committed.class,
        1);
    assertThat(commits()).isEqualTo(2);
  }

  @Test
  void anUpsertIsUnknownOnlyWhenNoTryIsLeft() {
    plain.write(List.of(note(1, "old")));
    for (int i = 0; i <= 3; i++) {
      wire.lose("Commit", LOST);
    }
    assertAll(updates(1L), Unknown.class, 1);
    assertThat(noteOf(1)).isEqualTo("old");
  }

  @Test
  void abortsDoNotRejectRowsInDoubt() {
    wire.lose("Commit", LOST);
    wire.lose("Commit", Status.ABORTED);
    assertAll(
        outcomes(
            notes().transactionOptions(SpannerTransactionOptions.defaults().maxAttempts(1)),
            1L,
            2L),
        Unknown.class,
        2);
  }

  @Test
  void aNumberedGroupIsTriedAgainIfItsCommitWasNotSent() {
    store.create("letters", 1).block(LIMIT);
    wire.lose("StreamingRead", LOST);
    assertAll(
        outcomes(notes().numbered(store.transactional("letters"), (row, number) -> number), 7L, 8L),
        Committed.class,
        2);
    assertThat(stored()).containsExactly(1L, 2L);
  }

  /** The key is the same for small numbers. */
  @Test
  void writesNoNumberedRowAgainWithAnotherKey() {
    store.create("periods", 5).block(LIMIT);
    wire.loseCommitAndEnd(LOST);
    List<InsertOutcome<Long>> outcomes =
        outcomes(
            notes()
                .numbered(
                    store.transactional("periods"),
                    (row, number) -> {
                      if (number == 5) { // in the transaction that is lost
                        wire.before(
                            "StreamingRead", () -> store.advanceTo("periods", 7).block(LIMIT));
                      }
                      return number <= 6 ? 1L : 2L;
                    }),
            7L);
    assertThat(outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown -> {
              assertThat(unknown.reason()).hasMessageContaining("depends on its number");
              assertThat(unknown.reason().getSuppressed()).hasSize(1);
            });
    assertThat(stored()).isEmpty();
    assertThat(store.state("periods").block(LIMIT))
        .extracting(SequenceState::nextValue)
        .isEqualTo(7L);
  }

  @Test
  void aNumberedUpsertIsUnknownAfterALostAnswer() {
    store.create("upserts", 1).block(LIMIT);
    wire.answerCommitWith(LOST);
    List<InsertOutcome<Long>> outcomes =
        outcomes(
            inserts("letters", (id, row) -> row.set("id").to(id).set("note").to("x"))
                .insertOrUpdate()
                .numbered(store.transactional("upserts"), (row, number) -> row),
            7L);
    assertAll(outcomes, Unknown.class, 1);
    assertThat(commits()).isOne();
  }

  @Test
  void keysOfEveryTypeAreFound() {
    SpannerInserts<Long> typed =
        inserts(
            "typed",
            (id, row) -> {
              row.set("id").to(id);
              row.set("f").to(id == 1 ? -0.0 : Double.NaN);
              row.set("b").to(true);
              row.set("s").to(id == 2 && !isPostgreSql() ? null : "ü''\"");
              row.set("y").to(ByteArray.copyFrom(new byte[] {0, -1}));
              row.set("t").to(Timestamp.parseTimestamp("2020-01-01T00:00:00.123456Z"));
              row.set("d").to(Date.parseDate("1999-12-31"));
              if (!isPostgreSql()) {
                row.set("n").to(new BigDecimal(id == 1 ? "1.50" : "100"));
              }
            });
    wire.answerCommitWith(LOST);
    assertAll(outcomes(typed, 1L, 2L), Committed.class, 2);
    assertThat(commits()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"f", "xs", "p", "t", "nothing"})
  void valuesOfEveryTypeAreCompared(String column) {
    Map<String, Value> values =
        Map.of(
            "f", Value.float32(1.1f),
            "xs", Value.int64Array(new long[] {1, 2}),
            "p", isPostgreSql() ? Value.pgNumeric("1.50") : Value.numeric(new BigDecimal("1.50")),
            "t", Value.timestamp(Timestamp.parseTimestamp("2020-01-01T00:00:00.123456Z")),
            "nothing", Value.string(null));
    SpannerInserts<Long> wide =
        inserts("wide", (id, row) -> row.set("id").to(id).set(column).to(values.get(column)));
    wire.answerCommitWith(LOST);
    assertAll(outcomes(wide, (long) column.hashCode()), Committed.class, 1);
    assertThat(commits()).isOne();
  }

  @Test
  void namesMayDifferInCase() {
    wire.answerCommitWith(LOST);
    assertAll(
        outcomes(inserts("Letters", (id, row) -> row.set("ID").to(id).set("Note").to("x")), 1L),
        Committed.class,
        1);
  }

  @Test
  void theKeyIsThatOfTheTableInItsSchema() {
    wire.answerCommitWith(LOST);
    assertAll(
        outcomes(
            inserts("other.notes", (id, row) -> row.set("note").to("n" + id).set("n").to(id)), 1L),
        Committed.class,
        1);
  }

  @Test
  void findsAnElementOnlyIfAllItsRowsAreThere() {
    Mutation second =
        Mutation.newInsertBuilder("other.notes").set("note").to("both").set("n").to(1).build();
    plain.write(List.of(note(1, "another's"), second));
    wire.answerCommitWith(LOST);
    assertAll(
        outcomes(
            quick(
                SpannerInserts.mutations(wire.client(), id -> List.of(note(id, "n" + id), second))),
            1L),
        Unknown.class,
        1);
  }

  @Test
  void looksRowsUpWhenTheCommitIsNotAnsweredInTime() {
    wire.hold("Commit");
    assertAll(outcomes(notes().transactionTimeout(IN_TIME), 1L, 2L), Committed.class, 2);
    assertThat(wire.heldAnswers()).isOne();
    assertThat(commits()).isOne();
    wire.release();
    assertThat(stored()).containsExactly(1L, 2L);
  }

  @Test
  void onlyTheNumberedGroupWithoutAnAnswerInTimeIsUnknown() {
    store.create("late", 1).block(LIMIT);
    wire.hold("Commit");
    List<InsertOutcome<Long>> outcomes =
        Objects.requireNonNull(
            Flux.just(7L, 8L, 9L, 10L)
                .transform(
                    notes()
                        .numbered(store.transactional("late"), (row, number) -> number)
                        .transactionTimeout(IN_TIME)
                        .groupSize(2)
                        .concurrency(1)
                        .ordered()
                        .outcomes())
                .doOnNext(outcome -> wire.release())
                .collectList()
                .block(LIMIT));
    assertAll(outcomes.subList(0, 2), Unknown.class, 2);
    assertThat(((Unknown<Long>) outcomes.get(0)).reason())
        .hasMessageContaining("depends on its number");
    assertThat(((Unknown<Long>) outcomes.get(0)).reason().getSuppressed())
        .singleElement()
        .isInstanceOfSatisfying(
            InsertTimeoutException.class,
            late -> assertThat(late).hasMessageContaining("transactionTimeout of " + IN_TIME));
    assertAll(outcomes.subList(2, 4), Committed.class, 2);
    assertThat(stored()).as("the commit took effect").containsExactly(1L, 2L, 3L, 4L);
  }
}
