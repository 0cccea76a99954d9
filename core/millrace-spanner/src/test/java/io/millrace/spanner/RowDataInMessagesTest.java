package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Value;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.key.CompositeKey;
import io.millrace.test.emulator.SpannerTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** An error is logged and shown; the values of a row, those of its key among them, are not. */
@SpannerTest(
    ddl = {
      "CREATE TABLE people (id INT64 NOT NULL, note STRING(MAX), made TIMESTAMP"
          + " OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (id)",
      "CREATE TABLE stamps (made TIMESTAMP NOT NULL OPTIONS (allow_commit_timestamp = true),"
          + " note STRING(MAX)) PRIMARY KEY (made)",
      "CREATE TABLE sequences (name STRING(64) NOT NULL, next_value INT64 NOT NULL)"
          + " PRIMARY KEY (name)"
    })
class RowDataInMessagesTest {

  private static final long ID = 7_770_007_771L;
  private static final String NOTE = "s3cr3t";

  private record Person(Long id, String note) {}

  private static final Person PERSON = new Person(ID, NOTE);

  private static Mutation person(Value id, Mutation.WriteBuilder row) {
    return row.set("id").to(id).set("note").to(NOTE).build();
  }

  private static Throwable thrownBy(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isNotNull();
    return thrown instanceof GroupFailedException search ? search.reason() : thrown;
  }

  private static void assertTellsNothingOfTheRow(Throwable error, String... said) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    assertThat(
            trace.toString() + error + error.getMessage() + Arrays.toString(error.getSuppressed()))
        .doesNotContain(String.valueOf(ID), NOTE);
    assertThat(error.getMessage()).contains(said);
  }

  @Test
  void lookingForTheRowsOfALostCommitNamesColumnsOnly(DatabaseClient client) {
    client.write(List.of(person(Value.int64(ID), Mutation.newInsertOrUpdateBuilder("people"))));
    Map<Mutation, String> reasons = new LinkedHashMap<>();
    reasons.put(person(Value.string("0" + ID), Mutation.newInsertBuilder("people")), "'people'");
    reasons.put(person(Value.int64(ID), Mutation.newUpdateBuilder("people")), "UPDATE");
    reasons.put(Mutation.delete("people", Key.of(ID)), "DELETE");
    reasons.put(Mutation.newInsertBuilder("people").set("note").to(NOTE).build(), "column 'id'");
    reasons.put(Mutation.newInsertBuilder("nobody").set("note").to(NOTE).build(), "'nobody'");
    reasons.put(
        Mutation.newInsertBuilder("stamps")
            .set("made")
            .to(Value.COMMIT_TIMESTAMP)
            .set("note")
            .to(NOTE)
            .build(),
        "commit timestamp");
    reasons.put(person(untypedId(), Mutation.newInsertBuilder("people")), "no type");
    reasons.put(
        person(Value.int64Array(new long[] {ID}), Mutation.newInsertBuilder("people")),
        "ARRAY<INT64>");
    WrittenRows rows = new WrittenRows(client);
    reasons.forEach(
        (row, reason) ->
            assertTellsNothingOfTheRow(thrownBy(() -> rows.find(List.of(row)).block()), reason));
  }

  private static Value untypedId() {
    return Value.untyped(com.google.protobuf.Value.newBuilder().setStringValue("" + ID).build());
  }

  @Test
  @SuppressWarnings("NullAway")
  void mappingARowNamesNoneOfItsValues() {
    assertTellsNothingOfTheRow(
        thrownBy(() -> new RowMapper<Person>(row -> List.of(), 0, false).map(PERSON)),
        "a row was mapped to no mutation");
    assertTellsNothingOfTheRow(
        thrownBy(() -> new RowMapper<Person>(row -> null, 0, false).map(PERSON)),
        "a row was mapped to null");
    assertTellsNothingOfTheRow(
        thrownBy(
            () ->
                new RowMapper<Person>(
                        row ->
                            Arrays.asList(
                                person(Value.int64(ID), Mutation.newInsertBuilder("people")), null),
                        0,
                        false)
                    .map(PERSON)),
        "a row was mapped to a mutation that is null");
    assertTellsNothingOfTheRow(
        thrownBy(
            () ->
                new RowMapper<Person>(
                        row ->
                            List.of(person(Value.int64(ID), Mutation.newUpdateBuilder("people"))),
                        0,
                        true)
                    .map(PERSON)),
        "UPDATE");
    assertTellsNothingOfTheRow(
        thrownBy(
            () ->
                new RowMapper<Person>(
                        row ->
                            List.of(
                                Mutation.newInsertBuilder("people").set("no-te").to(NOTE).build()),
                        0,
                        false)
                    .map(PERSON)),
        "'no-te'");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAssignerWithoutAResultIsReportedWithoutTheRow(boolean group, DatabaseClient client) {
    SpannerSequenceStore store = SpannerSequenceStore.create(client);
    String sequence = "numbers" + group;
    store.create(sequence, 1).block();
    @SuppressWarnings("NullAway")
    SpannerInserts<Person> inserts =
        SpannerInserts.<Person>into(
                client, "people", (row, set) -> set.set("id").to(row.id()).set("note").to(NOTE))
            .numbered(store.transactional(sequence), (row, number) -> null);
    List<InsertOutcome<Person>> outcomes =
        Flux.fromIterable(Collections.nCopies(group ? 3 : 1, PERSON))
            .transform(inserts.outcomes())
            .collectList()
            .block();
    assertThat(outcomes)
        .hasSize(group ? 3 : 1)
        .allSatisfy(
            outcome -> {
              assertThat(outcome.row()).as("the row, by its accessor").isEqualTo(PERSON);
              assertTellsNothingOfTheRow(
                  ((Rejected<Person>) outcome).reason(), "the assigner returned null");
            });
  }

  @Test
  void theKeyOfARowNamesItsPartsOnly() {
    for (@Nullable Object value :
        Arrays.asList(
            null,
            NOTE + "\ud83d",
            NOTE.repeat(1_000),
            new StringBuilder(NOTE),
            Instant.ofEpochSecond(ID * 1_000),
            Instant.MAX,
            LocalDate.MAX,
            Float.valueOf(ID),
            new byte[3_000])) {
      CompositeKey<Person> key =
          CompositeKey.<Person>builder()
              .part("Note", Person::note)
              .part("Other", person -> value)
              .build();
      assertTellsNothingOfTheRow(thrownBy(() -> key.apply(PERSON)), "Other");
      assertTellsNothingOfTheRow(thrownBy(() -> SpannerKeys.toKey(key, PERSON)), "Other");
      if (value instanceof Instant || value instanceof LocalDate) {
        assertThat(Objects.requireNonNull(thrownBy(() -> key.apply(PERSON)).getMessage()))
            .doesNotContain(String.valueOf(value));
      }
    }
  }
}
