package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import com.google.spanner.v1.CommitRequest;
import com.google.spanner.v1.ReadRequest;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.RowWriter;
import io.millrace.test.emulator.EmulatorDatabase;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rows whose sequences are chosen by the rows: every name counts by itself, without gaps. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NumbersByNameBehaviour {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A note that the table refuses. */
  private static final String BAD = "too long for the column";

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  record Event(@Nullable String stream, long version, String note) {

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

    void writeTo(Mutation.WriteBuilder row) {
      row.set("stream").to(stream).set("version").to(version).set("note").to(note);
    }
  }

  private EmulatorDatabase database;
  private SpannerSequenceStore store;
  private Wire wire;

  /** Names of this test begin with it. */
  private String prefix = "";

  @BeforeAll
  void createTable(EmulatorDatabase created) {
    database = created;
    created.update(SpannerSequenceStore.create(created.client()).createTableDdl(created.dialect()));
  }

  @BeforeEach
  void open() {
    wire = new Wire(database);
    store = SpannerSequenceStore.create(database.client());
    prefix = UUID.randomUUID() + "-";
  }

  @AfterEach
  void nothingIsKeptForAName() {
    wire.close();
    assertThat(store.countersInUse()).isZero();
  }

  private SpannerInserts<Event> inserts() {
    return SpannerInserts.<Event>into(wire.client(), "facts", Event::writeTo)
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(10))
        .concurrency(1);
  }

  private SpannerInserts<Event> created(SpannerSequenceStore of) {
    return inserts()
        .numbered(of.transactionals().createMissing(1), Event::name, Event::withVersion);
  }

  private SpannerInserts<Event> existing() {
    return inserts().numbered(store.transactionals(), Event::name, Event::withVersion);
  }

  private Event event(String name, String note) {
    return new Event(prefix + name, 0, note);
  }

  private static <T> T await(Mono<T> work) {
    return Objects.requireNonNull(work.block(LIMIT));
  }

  private static List<InsertOutcome<Event>> outcomes(
      SpannerInserts<Event> inserts, List<Event> events) {
    return await(
        Flux.fromIterable(events)
            .transform(inserts.groupSize(events.size()).ordered().outcomes())
            .collectList());
  }

  private long nextValue(String name) {
    return await(store.state(prefix + name)).nextValue();
  }

  /** The versions of this test by stream. */
  private Map<String, List<Long>> stored() {
    Map<String, List<Long>> stored = new TreeMap<>();
    try (var rows =
        database
            .client()
            .singleUse()
            .executeQuery(
                Statement.of("SELECT stream, version FROM facts ORDER BY stream, version"))) {
      while (rows.next()) {
        if (rows.getString(0).startsWith(prefix)) {
          stored
              .computeIfAbsent(
                  rows.getString(0).substring(prefix.length()), any -> new ArrayList<>())
              .add(rows.getLong(1));
        }
      }
    }
    return stored;
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  void aGroupOfManyNamesTakesOneReadAndOneCommit() {
    List<Event> events =
        IntStream.range(0, 100).mapToObj(i -> event("s" + i % 37, "e" + i)).toList();
    List<InsertOutcome<Event>> outcomes = outcomes(created(store), events);
    for (int i = 0; i < 100; i++) {
      assertThat(outcomes.get(i).row()).isEqualTo(events.get(i).withVersion(1 + i / 37));
    }
    assertThat(outcomes(existing(), events)).hasOnlyElementsOfType(Committed.class);
    assertThat(stored()).hasSize(37).containsEntry("s0", upTo(6)).containsEntry("s36", upTo(4));
    assertThat(nextValue("s0")).isEqualTo(7);
    assertThat(wire.requests(ReadRequest.class))
        .hasSize(2)
        .allSatisfy(read -> assertThat(read.getKeySet().getKeysCount()).isEqualTo(37));
    assertThat(wire.requests(CommitRequest.class)).hasSize(2);
  }

  @Test
  void badNamesRejectOnlyTheirOwnRowsAndNoNumberIsLost() {
    store.create(prefix + "good", 1).block(LIMIT);
    store.create(prefix + "full", SequenceState.LARGEST_VALUE).block(LIMIT);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      events.add(event("good", "g" + i));
      events.add(event("missing", "m"));
      events.add(new Event("", 0, "illegal"));
      events.add(new Event("throws", 0, "t"));
      events.add(new Event(null, 0, "n"));
      events.add(event("full", "f"));
      events.add(event("good", BAD));
    }
    List<Class<?>> reasons =
        List.of(
            Void.class,
            SequenceNotFoundException.class,
            IllegalArgumentException.class,
            Deliberate.class,
            NullPointerException.class,
            SequenceExhaustedException.class,
            Exception.class);
    List<InsertOutcome<Event>> outcomes = outcomes(existing(), events);
    for (int i = 0; i < events.size(); i++) {
      Class<?> expected = reasons.get(i % 7);
      InsertOutcome<Event> outcome = outcomes.get(i);
      if (expected == Void.class) {
        assertThat(outcome).isInstanceOf(Committed.class);
        assertThat(outcome.row().version()).isEqualTo(1 + i / 7);
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
  void namesThatAreMissingCostOneTransactionMoreHoweverManyTheyAre() {
    store.create(prefix + "good", 1).block(LIMIT);
    List<Event> events =
        IntStream.range(0, 64)
            .mapToObj(i -> event(i % 2 == 0 ? "good" : "missing " + i, "e"))
            .toList();
    outcomes(existing(), events);
    assertThat(stored()).containsOnly(Map.entry("good", upTo(32)));
    assertThat(wire.requests(ReadRequest.class)).hasSize(2);
    assertThat(wire.requests(CommitRequest.class)).hasSize(1);
  }

  @Test
  void aSequenceThatIsTakenByItsOwnObjectToGoesOnInTheSameTransaction() {
    store.create(prefix + "a", 1).block(LIMIT);
    List<Long> values =
        await(
            SpannerTransactions.readWrite(
                wire.client(),
                tx ->
                    store
                        .transactional(prefix + "a")
                        .next(tx)
                        .flatMap(
                            first ->
                                store
                                    .transactionals()
                                    .createMissing(5)
                                    .next(tx, Map.of(prefix + "a", 2, prefix + "b", 1))
                                    .map(
                                        more ->
                                            List.of(
                                                first,
                                                value(more, "a", 0),
                                                value(more, "a", 1),
                                                value(more, "b", 0))))));
    assertThat(values).containsExactly(1L, 2L, 3L, 5L);
    assertThat(nextValue("a")).isEqualTo(4);
    assertThat(nextValue("b")).isEqualTo(6);
    assertThat(wire.requests(ReadRequest.class))
        .as("what was read is not read again")
        .extracting(read -> read.getKeySet().getKeysCount())
        .containsExactly(1, 1);
  }

  private long value(Map<String, List<Long>> values, String name, int index) {
    return Objects.requireNonNull(values.get(prefix + name)).get(index);
  }

  @Test
  void valuesAreTakenOfAllNamesOrOfNone() {
    store.create(prefix + "a", 5).block(LIMIT);
    Map<String, Integer> counts = Map.of(prefix + "a", 2, prefix + "b", 1);
    List<Throwable> refused = new ArrayList<>();
    await(
        SpannerTransactions.readWrite(
            wire.client(),
            tx ->
                store
                    .transactionals()
                    .next(tx, counts)
                    .doOnError(refused::add)
                    .thenReturn(true)
                    .onErrorReturn(SequencesRefusedException.class, false)));
    assertThat(refused)
        .singleElement()
        .isInstanceOfSatisfying(
            SequencesRefusedException.class,
            failure -> assertThat(failure.reasons()).containsOnlyKeys(prefix + "b"));
    assertThat(nextValue("a")).as("although the transaction has committed").isEqualTo(5);
    Map<String, List<Long>> taken =
        await(
            SpannerTransactions.readWrite(
                wire.client(), tx -> store.transactionals().createMissing(10).next(tx, counts)));
    assertThat(taken).isEqualTo(Map.of(prefix + "a", List.of(5L, 6L), prefix + "b", List.of(10L)));
    assertThat(nextValue("a")).isEqualTo(7);
  }

  @Test
  void transactionsOfOneStoreTakeTurnsAlsoThroughDifferentObjects() {
    int transactions = 20;
    for (String name : List.of("a", "b", "c")) {
      store.create(prefix + name, 1).block(LIMIT);
    }
    Random random = new Random(7);
    List<Mono<Map<String, List<Long>>>> work = new ArrayList<>();
    for (int i = 0; i < transactions; i++) {
      List<String> names = new ArrayList<>(List.of("a", "b", "c"));
      Collections.shuffle(names, random);
      Map<String, Integer> counts = new LinkedHashMap<>();
      counts.put(prefix + "a", 1);
      names.subList(0, 2).forEach(name -> counts.put(prefix + name, 1));
      work.add(
          Mono.defer(
              () ->
                  SpannerTransactions.readWrite(
                      wire.client(), tx -> store.transactionals().next(tx, counts))));
    }
    await(Flux.merge(Flux.fromIterable(work), transactions, 1).then(Mono.just(true)));
    assertThat(nextValue("a")).isEqualTo(transactions + 1);
    assertThat(wire.requests(CommitRequest.class)).as("none is aborted").hasSize(transactions);
  }

  /** Two stores, as in two processes. Names are created meanwhile, and some rows are bad. */
  @Test
  void twoWritersAtOnceNumberEveryNameWithoutAGap() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      events.add(event("s" + random.nextInt(25), random.nextInt(12) == 0 ? BAD : "e" + i));
    }
    List<RowWriter<Event>> writers =
        List.of(
            created(store).writer(),
            created(SpannerSequenceStore.create(database.client())).writer());
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
                                  assertThat(events.get(i).note())
                                      .as("seed %d: %s", seed, failure.getCause())
                                      .isEqualTo(BAD);
                                  return Mono.empty();
                                }),
                    events.size())
                .collectList());
    Map<String, List<Long>> given = new TreeMap<>();
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
}
