package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.RowWriter;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rows whose sequences are chosen by the rows: every name counts by itself, without gaps. */
@Timeout(300)
class NumbersByNameTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A note that the table refuses. */
  private static final @Nullable String BAD = null;

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  record Event(@Nullable String stream, long version, @Nullable String note) {

    @SuppressWarnings("NullAway") // a stream without a name is what a test is about
    String name() {
      if ("throws".equals(stream)) {
        throw new Deliberate();
      }
      return stream;
    }

    Event withVersion(long number) {
      return new Event(stream, number, note);
    }

    void writeTo(InsertRow row) {
      row.set("stream", Objects.requireNonNull(stream))
          .set("version", version)
          .set("note", note, String.class);
    }
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    private R2dbcDatabase database;
    private WatchedConnections watched;
    private R2dbcSequenceStore store;

    /** Names of this test begin with it. */
    private String prefix = "";

    @BeforeAll
    void createTables(R2dbcDatabase created) {
      database = created;
      created.execute(
          created
              .kind()
              .quoted(
                  "CREATE TABLE \"facts\" (\"stream\" VARCHAR(200) NOT NULL, \"version\""
                      + " BIGINT NOT NULL, \"note\" VARCHAR(100) NOT NULL,"
                      + " PRIMARY KEY (\"stream\", \"version\"))"));
      R2dbcSequenceStore.create(created.pooled()).createTable().block(LIMIT);
    }

    @BeforeEach
    void connect() {
      watched = new WatchedConnections(database.pooled());
      store = R2dbcSequenceStore.create(database.pooled());
      prefix = UUID.randomUUID() + "-";
    }

    private R2dbcInserts<Event> inserts() {
      return R2dbcInserts.<Event>into(watched, "facts", Event::writeTo)
          .retries(3, Duration.ofMillis(1), Duration.ofMillis(10))
          .concurrency(1);
    }

    private R2dbcInserts<Event> created() {
      return inserts()
          .numbered(store.transactionals().createMissing(1), Event::name, Event::withVersion);
    }

    private R2dbcInserts<Event> existing() {
      return inserts().numbered(store.transactionals(), Event::name, Event::withVersion);
    }

    private Event event(String name, @Nullable String note) {
      return new Event(prefix + name, 0, note);
    }

    private static <T> T await(Mono<T> work) {
      return Objects.requireNonNull(work.block(LIMIT));
    }

    private List<InsertOutcome<Event>> outcomes(R2dbcInserts<Event> inserts, List<Event> events) {
      return await(
          Flux.fromIterable(events)
              .transform(inserts.groupSize(events.size()).ordered().outcomes())
              .collectList());
    }

    private long nextValue(String name) {
      return await(store.state(prefix + name)).nextValue();
    }

    /** The rows of this test by stream, in the order of their versions. */
    private Map<String, List<Long>> stored() {
      String query =
          "SELECT "
              + column("stream")
              + ", "
              + column("version")
              + " FROM "
              + column("facts")
              + " ORDER BY "
              + column("version");
      Map<String, List<Long>> stored = new TreeMap<>();
      await(
              Flux.usingWhen(
                      database.pooled().create(),
                      connection ->
                          Flux.from(connection.createStatement(query).execute())
                              .flatMap(
                                  result ->
                                      result.map(
                                          row ->
                                              Map.entry(
                                                  Objects.requireNonNull(row.get(0, String.class)),
                                                  Objects.requireNonNull(row.get(1, Long.class))))),
                      Connection::close)
                  .collectList())
          .stream()
          .filter(row -> row.getKey().startsWith(prefix))
          .forEach(
              row ->
                  stored
                      .computeIfAbsent(
                          row.getKey().substring(prefix.length()), any -> new ArrayList<>())
                      .add(row.getValue()));
      return stored;
    }

    private String column(String name) {
      return database.kind().quoted('"' + name + '"');
    }

    private static List<Long> upTo(long last) {
      return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private <T> Mono<T> transaction(Function<Connection, Mono<T>> body) {
      return Mono.usingWhen(
          Mono.from(watched.create()),
          connection ->
              Mono.from(connection.beginTransaction())
                  .then(Mono.defer(() -> body.apply(connection)))
                  .flatMap(result -> Mono.from(connection.commitTransaction()).thenReturn(result))
                  .onErrorResume(
                      failure ->
                          Mono.from(connection.rollbackTransaction())
                              .onErrorComplete()
                              .then(Mono.error(failure))),
          Connection::close);
    }

    @Test
    void eachNameOfAGroupCountsByItselfInTheOrderOfTheGroup() {
      List<Event> events =
          IntStream.range(0, 100).mapToObj(i -> event("s" + i % 37, "e" + i)).toList();
      List<Event> saved = outcomes(created(), events).stream().map(InsertOutcome::row).toList();
      for (int i = 0; i < 100; i++) {
        assertThat(saved.get(i)).isEqualTo(events.get(i).withVersion(1 + i / 37));
      }
      assertThat(stored()).hasSize(37).containsEntry("s0", upTo(3)).containsEntry("s36", upTo(2));
      assertThat(nextValue("s0")).isEqualTo(4);
    }

    @Test
    void eachCounterOfAGroupIsMovedByOneUpdateInOneTransaction() {
      List<Event> events = IntStream.range(0, 64).mapToObj(i -> event("s" + i, "e")).toList();
      outcomes(created(), events);
      watched.clear();
      outcomes(existing(), events);
      assertThat(watched.statements()).filteredOn(sql -> sql.contains("UPDATE ")).hasSize(64);
      assertThat(watched.log()).filteredOn("commit"::equals).hasSize(1);
      assertThat(stored()).hasSize(64).containsEntry("s63", upTo(2));
    }

    @Test
    void aGroupMayNameHundredsOfCounters() {
      List<Event> events = IntStream.range(0, 300).mapToObj(i -> event("s" + i, "e")).toList();
      assertThat(outcomes(created(), events)).hasOnlyElementsOfType(Committed.class);
      assertThat(outcomes(existing(), events)).hasOnlyElementsOfType(Committed.class);
      assertThat(stored())
          .hasSize(300)
          .allSatisfy((name, versions) -> assertThat(versions).isEqualTo(upTo(2)));
    }

    @Test
    void badNamesRejectOnlyTheirOwnRowsAndNoNumberIsLost() {
      await(store.create(prefix + "good", 1).thenReturn(true));
      await(store.create(prefix + "full", SequenceState.LARGEST_VALUE).thenReturn(true));
      List<Event> events = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        events.add(event("good", "g" + i));
        events.add(event("missing", "m"));
        events.add(new Event("", 0, "illegal"));
        events.add(new Event("x".repeat(300), 0, "too long"));
        events.add(new Event("throws", 0, "t"));
        events.add(new Event(null, 0, "n"));
        events.add(event("full", "f"));
        events.add(event("good", BAD));
      }
      List<InsertOutcome<Event>> outcomes = outcomes(existing(), events);
      List<Class<?>> reasons =
          List.of(
              Void.class,
              SequenceNotFoundException.class,
              IllegalArgumentException.class,
              IllegalArgumentException.class,
              Deliberate.class,
              NullPointerException.class,
              SequenceExhaustedException.class,
              Exception.class);
      for (int i = 0; i < events.size(); i++) {
        Class<?> expected = reasons.get(i % 8);
        InsertOutcome<Event> outcome = outcomes.get(i);
        if (expected == Void.class) {
          assertThat(outcome).isInstanceOf(Committed.class);
          assertThat(outcome.row().version()).isEqualTo(1 + i / 8);
        } else {
          assertThat(outcome)
              .isInstanceOfSatisfying(
                  Rejected.class, rejected -> assertThat(rejected.reason()).isInstanceOf(expected));
        }
      }
      assertThat(stored()).containsOnly(Map.entry("good", upTo(4)));
      assertThat(nextValue("good")).isEqualTo(5);
      assertThat(nextValue("full")).isEqualTo(SequenceState.LARGEST_VALUE);
    }

    @Test
    void aMissingSequenceStaysMissingIfItsTransactionDoesNotCommit() {
      List<InsertOutcome<Event>> outcomes = outcomes(created(), List.of(event("new", BAD)));
      assertThat(outcomes).hasOnlyElementsOfType(Rejected.class);
      assertThat(
              store.state(prefix + "new").map(any -> "found").onErrorReturn("missing").block(LIMIT))
          .isEqualTo("missing");
    }

    @Test
    void valuesAreTakenInATransactionOfTheApplicationAllOrNone() {
      await(store.create(prefix + "a", 5).thenReturn(true));
      Map<String, Integer> counts = Map.of(prefix + "a", 2, prefix + "b", 1);
      Throwable refused =
          await(
              transaction(connection -> store.transactionals().next(connection, counts))
                  .then(Mono.<Throwable>empty())
                  .onErrorResume(Mono::just));
      assertThat(refused)
          .isInstanceOfSatisfying(
              SequencesRefusedException.class,
              failure -> assertThat(failure.reasons()).containsOnlyKeys(prefix + "b"))
          .hasMessageContainingAll("1 of 2 sequences", prefix + "b", "was not found");
      assertThat(nextValue("a")).isEqualTo(5);
      Map<String, List<Long>> taken =
          await(
              transaction(
                  connection -> store.transactionals().createMissing(10).next(connection, counts)));
      assertThat(taken)
          .isEqualTo(Map.of(prefix + "a", List.of(5L, 6L), prefix + "b", List.of(10L)));
      assertThat(nextValue("a")).isEqualTo(7);
      assertThat(nextValue("b")).isEqualTo(11);
    }

    @Test
    void countsAreCheckedByTheCallItself() {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> transaction(c -> store.transactionals().next(c, Map.of("a", 0))).block(LIMIT))
          .withMessage("count must be at least 1, was 0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> transaction(c -> store.transactionals().next(c, Map.of())).block(LIMIT))
          .withMessageContaining("at least 1 sequence");
    }

    /** Two stores, as in two processes. Names are created meanwhile, and some rows are bad. */
    @Test
    void twoWritersAtOnceNumberEveryNameWithoutAGap() {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      List<Event> events = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        events.add(event("s" + random.nextInt(12), random.nextInt(20) == 0 ? BAD : "e" + i));
      }
      Collections.shuffle(events, random);
      List<RowWriter<Event>> writers = List.of(created().writer(), writerOfAnotherStore());
      Map<String, List<Long>> given = new TreeMap<>();
      List<Event> saved =
          await(
              Flux.range(0, events.size())
                  .flatMap(
                      i ->
                          writers
                              .get(i % 2)
                              .write(events.get(i))
                              .onErrorResume(
                                  InsertFailedException.class,
                                  failure -> {
                                    assertThat(events.get(i).note()).as("seed " + seed).isNull();
                                    return Mono.empty();
                                  }),
                      events.size())
                  .collectList());
      saved.forEach(
          each ->
              given
                  .computeIfAbsent(
                      Objects.requireNonNull(each.stream()).substring(prefix.length()),
                      any -> new ArrayList<>())
                  .add(each.version()));
      given.values().forEach(Collections::sort);
      assertThat(given).as("seed " + seed).isNotEmpty().isEqualTo(stored());
      given.forEach(
          (name, versions) -> {
            assertThat(versions).as("seed %d, %s", seed, name).isEqualTo(upTo(versions.size()));
            assertThat(nextValue(name)).isEqualTo(versions.size() + 1);
          });
      writers.forEach(writer -> writer.disposeLater().block(LIMIT));
    }

    private RowWriter<Event> writerOfAnotherStore() {
      return inserts()
          .numbered(
              R2dbcSequenceStore.create(database.pooled()).transactionals().createMissing(1),
              Event::name,
              Event::withVersion)
          .writer();
    }

    /** Names in opposite orders, in transactions that meet: all wait, and none is ended. */
    @Test
    void transactionsThatNameTheSameCountersInAnyOrderDoNotDeadlock() {
      List<String> names = new ArrayList<>();
      for (String name :
          List.of("a", "B", "ab", "\u00e4", "_", "Z", "\ud83d\ude00", "\uffee", "1")) {
        names.add(prefix + name);
        await(store.create(prefix + name, 1).thenReturn(true));
      }
      int transactions = 40;
      Random random = new Random(7);
      List<Mono<Map<String, List<Long>>>> work = new ArrayList<>();
      for (int i = 0; i < transactions; i++) {
        List<String> own = new ArrayList<>(names);
        Collections.shuffle(own, random);
        Map<String, Integer> counts = new LinkedHashMap<>();
        own.subList(0, 6).forEach(name -> counts.put(name, 1));
        work.add(transaction(connection -> store.transactionals().next(connection, counts)));
      }
      List<Map<String, List<Long>>> taken =
          await(Flux.merge(Flux.fromIterable(work), 4, 1).collectList());
      for (String name : names) {
        assertThat(taken.stream().flatMap(own -> own.getOrDefault(name, List.of()).stream()))
            .as(name)
            .doesNotHaveDuplicates();
      }
      assertThat(names.stream().mapToLong(name -> await(store.state(name)).nextValue() - 1).sum())
          .isEqualTo(transactions * 6L);
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

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends Behaviour {}
}
