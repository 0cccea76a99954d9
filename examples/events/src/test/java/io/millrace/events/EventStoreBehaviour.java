package io.millrace.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.InvalidOptionException;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowTooLargeException;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams of events with versions, appended to by many callers at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EventStoreBehaviour {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private EventStore store;

  /** Another process, as far as Spanner can tell. */
  private EventStore other;

  private String prefix = "";

  @BeforeAll
  void create(EmulatorDatabase database) {
    store = new EventStore(database.client(), 2);
    other = new EventStore(database.client(), 1);
    store.ddl(database.dialect()).forEach(database::update);
  }

  @AfterAll
  void close() {
    store.close().then(other.close()).block(LIMIT);
  }

  @BeforeEach
  void newStreams() {
    prefix = UUID.randomUUID() + "-";
  }

  private static <T> T await(Mono<T> work) {
    return Objects.requireNonNull(work.block(LIMIT));
  }

  private long append(String stream, long expected, String... events) {
    return await(store.append(prefix + stream, expected, List.of(events)));
  }

  private List<StoredEvent> events(String stream) {
    return await(store.read(prefix + stream, 0).collectList());
  }

  private List<String> payloads(String stream) {
    List<StoredEvent> events = events(stream);
    assertThat(events)
        .extracting(StoredEvent::version)
        .isEqualTo(LongStream.rangeClosed(1, events.size()).boxed().toList());
    return events.stream().map(StoredEvent::payload).toList();
  }

  private VersionConflictException conflict(String stream, long expected, String event) {
    return (VersionConflictException)
        await(
            store
                .append(prefix + stream, expected, List.of(event))
                .then(Mono.<Throwable>empty())
                .onErrorResume(Mono::just));
  }

  @Test
  void eventsHaveTheNextVersionsOfTheirStream() {
    assertThat(append("a", 0, "opened")).isEqualTo(1);
    assertThat(append("a", 1, "paid", "sent")).isEqualTo(3);
    assertThat(append("b", 0, "opened")).isEqualTo(1);
    assertThat(append("a", EventStore.ANY_VERSION, "closed")).isEqualTo(4);
    assertThat(payloads("a")).containsExactly("opened", "paid", "sent", "closed");
    assertThat(payloads("b")).containsExactly("opened");
    assertThat(await(store.version(prefix + "a"))).isEqualTo(4);
    assertThat(await(store.read(prefix + "a", 2).collectList()))
        .extracting(StoredEvent::payload)
        .containsExactly("sent", "closed");
    assertThat(events("a").get(1).committedAt()).isEqualTo(events("a").get(2).committedAt());
  }

  @Test
  void aConflictNamesTheExpectedAndTheActualVersionAndTakesNone() {
    append("a", 0, "one", "two");
    for (long wrong : new long[] {0, 1, 3, 100}) {
      VersionConflictException conflict = conflict("a", wrong, "no");
      assertThat(conflict.stream()).isEqualTo(prefix + "a");
      assertThat(conflict.expected()).isEqualTo(wrong);
      assertThat(conflict.actual()).isEqualTo(2);
      assertThat(conflict).hasMessageContainingAll("version " + wrong, "version 2");
    }
    assertThat(append("a", 2, "three")).isEqualTo(3);
    assertThat(payloads("a")).containsExactly("one", "two", "three");
  }

  @Test
  void aConflictCreatesNoStream() {
    assertThat(conflict("new", 1, "no").actual()).isZero();
    assertThat(await(store.version(prefix + "new"))).isZero();
    assertThat(events("new")).isEmpty();
  }

  @Test
  void ofAppendsThatExpectTheSameVersionOneSucceeds() {
    append("a", 0, "one");
    List<Object> ends =
        await(
            Flux.range(0, 20)
                .flatMap(
                    i ->
                        (i % 2 == 0 ? store : other)
                            .append(prefix + "a", 1, List.of("from " + i))
                            .cast(Object.class)
                            .onErrorResume(
                                VersionConflictException.class,
                                conflict -> Mono.just("conflict with " + conflict.actual())),
                    20)
                .collectList());
    assertThat(ends).hasSize(20).containsOnlyOnce(2L);
    assertThat(ends).filteredOn("conflict with 2"::equals).hasSize(19);
    assertThat(payloads("a")).hasSize(2);
  }

  @Test
  void aBadAppendFailsItsOwnCallerOnly() {
    List<Object> ends =
        await(
            Flux.just("", "x".repeat(201), prefix + "good", prefix + "fine")
                .flatMap(
                    stream ->
                        store
                            .append(stream, 0, List.of("one"))
                            .cast(Object.class)
                            .onErrorResume(
                                InsertFailedException.class,
                                failure ->
                                    Mono.just(
                                        Objects.requireNonNull(failure.getCause()).getClass())),
                    4)
                .collectList());
    assertThat(ends)
        .containsExactlyInAnyOrder(
            InvalidOptionException.class, InvalidOptionException.class, 1L, 1L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.append("a", 0, List.of()))
        .withMessageContaining("at least 1 event");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.append("a", -2, List.of("one")))
        .withMessageContaining("-2");
  }

  @Test
  void aStoreWithoutAWriterIsRefused(EmulatorDatabase database) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EventStore(database.client(), 0))
        .withMessageContaining("at least 1 writer, was 0");
  }

  /** The three share a writer; the last two share a transaction while the first is under way. */
  @Test
  void anAppendDoesNotConflictWithOneThatIsTooLargeToBeWritten() {
    List<Object> ends =
        await(
            Flux.just(List.of("first"), List.of("x".repeat(5_000_000)), List.of("one"))
                .index()
                .flatMapSequential(
                    each ->
                        other
                            .append(prefix + (each.getT1() == 0 ? "a" : "b"), 0, each.getT2())
                            .cast(Object.class)
                            .onErrorResume(
                                InsertFailedException.class,
                                failure ->
                                    Mono.just(
                                        Objects.requireNonNull(failure.getCause()).getClass())),
                    3)
                .collectList());
    assertThat(ends).containsExactly(1L, RowTooLargeException.class, 1L);
    assertThat(payloads("b")).containsExactly("one");
  }

  /** A model of versions tells what each append of a caller of its own stream has to return. */
  @Test
  void concurrentAppendsToManyStreamsBehaveAsOneAfterTheOther() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int callers = 40;
    Map<String, List<String>> expected = new HashMap<>();
    List<Mono<Void>> work = new ArrayList<>();
    for (int caller = 0; caller < callers; caller++) {
      String stream = "s" + caller;
      List<String> written = new ArrayList<>();
      expected.put(stream, written);
      Random own = new Random(random.nextLong());
      work.add(
          Flux.range(0, 12)
              .concatMap(i -> Mono.defer(() -> step(stream, written, own, "seed " + seed)))
              .then());
    }
    // Others append to a stream of all, whatever its version is.
    IntStream.range(0, 60)
        .forEach(
            i ->
                work.add(
                    (i % 2 == 0 ? store : other)
                        .append(prefix + "shared", EventStore.ANY_VERSION, List.of("e" + i))
                        .then()));
    Flux.merge(Flux.fromIterable(work), work.size(), 1).then().block(LIMIT);
    expected.forEach(
        (stream, written) ->
            assertThat(payloads(stream)).as("seed %d, %s", seed, stream).isEqualTo(written));
    assertThat(payloads("shared"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 60).mapToObj(i -> "e" + i).toList());
  }

  private Mono<Void> step(String stream, List<String> written, Random random, String seed) {
    long actual = written.size();
    boolean right = random.nextInt(3) > 0;
    long expected = right ? actual : actual + 1 + random.nextInt(3);
    List<String> events =
        IntStream.range(0, 1 + random.nextInt(3))
            .mapToObj(i -> "v" + (actual + i + 1) + "/" + random.nextInt(100))
            .toList();
    return (random.nextBoolean() ? store : other)
        .append(prefix + stream, expected, events)
        .doOnNext(
            version -> {
              assertThat(right).as(seed).isTrue();
              written.addAll(events);
              assertThat(version).as(seed).isEqualTo(written.size());
            })
        .onErrorResume(
            VersionConflictException.class,
            conflict -> {
              assertThat(right).as(seed).isFalse();
              assertThat(conflict.actual()).as(seed).isEqualTo(actual);
              return Mono.empty();
            })
        .then();
  }
}
