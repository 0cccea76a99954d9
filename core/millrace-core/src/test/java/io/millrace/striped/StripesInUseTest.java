package io.millrace.striped;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceStore;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * What a striped store has in memory of sequences, what it notices with that, and what requests
 * that are cut short leave there. Time is virtual.
 */
class StripesInUseTest {

  private static final Duration LATENCY = Duration.ofMillis(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore rows = InMemorySequenceStore.create().latency(LATENCY, time);
  private final List<Throwable> errors = new ArrayList<>();
  private final List<String> served = new ArrayList<>();

  /** Moves the counters of rows, as whoever restores a backup does. */
  private static final class Restored extends DelegatingSequenceStore {

    private SequenceStore backup;

    Restored(SequenceStore store) {
      super(store);
      this.backup = store;
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return backup.reserve(request);
    }

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      return backup.release(sequence, tail);
    }
  }

  private StripedSequenceStore striped(SequenceStore store) {
    return StripedSequenceStore.builder(store)
        .stride(10)
        .stripes(2)
        .choice(StripeChoice.ROUND_ROBIN)
        .random(bound -> 0)
        .clock(() -> time.now(TimeUnit.NANOSECONDS))
        .build();
  }

  private SequenceGenerators.Builder generators(SequenceStore store) {
    return SequenceGenerators.builder(store)
        .scheduler(time)
        .anyName()
        .defaults(
            options ->
                options
                    .blockSize(100)
                    .createMissing(1)
                    .reservationTimeout(Duration.ofSeconds(1))
                    .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1));
  }

  private Disposable take(SequenceGenerators generators, String name) {
    return generators.get(name).next().subscribe(value -> served.add(name), errors::add);
  }

  private <T> T answer(Mono<T> request) {
    List<T> answers = new ArrayList<>();
    request.subscribe(answers::add, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(errors).isEmpty();
    return answers.get(0);
  }

  private void create(StripedSequenceStore store, String name) {
    store.create(name, 1).subscribe(nothing -> {}, errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(errors).isEmpty();
  }

  // What is remembered.

  @Test
  void aSequenceInUseTakesOneRequestForABlockAndOneThatWasForgottenThree() {
    StripedSequenceStore store =
        StripedSequenceStore.builder(rows).stripes(1_024).stride(1_024).build();
    create(store, "used");
    for (int i = 0; i < 200; i++) {
      create(store, "other" + i);
      assertThat(requests(store, "used")).isEqualTo(1);
      assertThat(store.known()).isLessThanOrEqualTo(64);
    }
    time.advanceTimeBy(Duration.ofDays(1));
    assertThat(requests(store, "used")).isEqualTo(1);
    assertThat(requests(store, "other199")).isEqualTo(1);
    assertThat(requests(store, "other3")).isEqualTo(3);
    assertThat(requests(store, "other3")).isEqualTo(1);
  }

  /** How many requests, one after another, a reservation takes. */
  private int requests(StripedSequenceStore store, String name) {
    List<Object> answers = new ArrayList<>();
    store.reserve(name, 2).subscribe(answers::add, errors::add);
    int requests = 0;
    while (answers.isEmpty()) {
      assertThat(errors).isEmpty();
      time.advanceTimeBy(LATENCY);
      requests++;
    }
    return requests;
  }

  // What is noticed.

  @Test
  void aRowThatWasRestoredFromABackupIsRefusedUntilItIsPastWhatItGave() {
    Restored restored = new Restored(rows);
    StripedSequenceStore store = striped(restored);
    create(store, "s");
    List<SequenceBlock> given = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      given.add(answer(store.reserve("s", 100)));
    }
    InMemorySequenceStore backup = InMemorySequenceStore.create().latency(LATENCY, time);
    backup.create("s#0", 51).subscribe();
    backup.create("s#1", 200).subscribe();
    time.advanceTimeBy(LATENCY);
    restored.backup = backup;

    Mono<SequenceBlock> below = store.reserve("s", 100);
    below.subscribe(block -> served.add("served"), errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(served).isEmpty();
    assertThat(errors)
        .singleElement()
        .isInstanceOfSatisfying(
            SequenceRegressionException.class,
            refused -> {
              assertThat(refused.sequence()).isEqualTo("s");
              assertThat(refused.highest()).isEqualTo(given.get(2).last());
              assertThat(refused.offered()).isEqualTo(510);
            });
    errors.clear();
    assertThat(answer(store.reserve("s", 100)).first()).as("the other row").isEqualTo(2001);

    store.reserve("s", 100).subscribe(block -> served.add("served"), errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(errors).as("the counter is at 151, values up to 200 were given").hasSize(1);
    errors.clear();
    answer(store.reserve("s", 100));
    assertThat(answer(store.reserve("s", 100)).first()).isEqualTo(2_510);
  }

  @Test
  void aGeneratorTellsThoseWhoWaitOfARowThatMovedBack() {
    Restored restored = new Restored(rows);
    StripedSequenceStore store = striped(restored);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .scheduler(time)
            .blockSize(10)
            .createMissing(1)
            .build();
    answer(generator.next(10));
    answer(generator.next(10));
    InMemorySequenceStore backup = InMemorySequenceStore.create().latency(LATENCY, time);
    backup.create("s#0", 1).subscribe();
    backup.create("s#1", 0).subscribe();
    time.advanceTimeBy(LATENCY);
    restored.backup = backup;
    generator.next(10).subscribe(values -> served.add("served"), errors::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(served).isEmpty();
    assertThat(errors).singleElement().isInstanceOf(SequenceRegressionException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"given back", "lost", "failed"})
  void whatThisProcessGaveBackIsNotTakenForARestoredBackup(String outcome) {
    StripedSequenceStore store = striped(rows);
    create(store, "s");
    SequenceBlock block = answer(store.reserve("s", 100));
    switch (outcome) {
      case "lost" -> rows.loseNextReleaseAnswers(1, new IOException("on purpose"));
      case "failed" -> rows.failNextReleases(1, new IOException("on purpose"));
      default -> {}
    }
    StripedSequenceStore other = striped(rows); // and another generator goes on in this one
    answer(other.reserve("s", 1));
    Mono<SequenceBlock> inFlight = store.reserve("s", 5);
    answer(inFlight);
    store.release("s", block.slice(50, 100)).onErrorReturn(false).subscribe();
    time.advanceTimeBy(Duration.ofSeconds(1));
    for (int i = 0; i < 4; i++) {
      assertThat(answer(store.reserve("s", 10)).size()).isEqualTo(10);
    }
  }

  @Test
  void aReservationUnderWayWhileValuesAreGivenBackIsNotRefused() {
    StripedSequenceStore store = StripedSequenceStore.builder(rows).stride(10).stripes(1).build();
    create(store, "s");
    SequenceBlock block = answer(store.reserve("s", 100));
    store.release("s", block.slice(50, 100)).subscribe(answer -> {}, errors::add);
    assertThat(answer(store.reserve("s", 10)).first()).isEqualTo(block.valueAt(50));
  }

  // Requests that are cut short.

  @Test
  void aReservationOrAGiveBackThatHangsHoldsItsPermitForItsTimeoutOnly() {
    StripedSequenceStore store = striped(rows);
    SequenceGenerators generators = generators(store).maxConcurrentReservations(1).build();
    take(generators, "a");
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(served).containsExactly("a");

    rows.hangNextReservations(1);
    take(generators, "b");
    take(generators, "c");
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(errors).as("b's").hasSize(1);
    assertThat(served).containsExactly("a", "c");

    rows.hangNextReleases(1);
    generators.get("a").disposeLater().subscribe();
    take(generators, "a");
    take(generators, "d");
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(served).containsExactlyInAnyOrder("a", "c", "d", "a");

    rows.failNextReleases(1, new IOException("on purpose"));
    generators.get("d").disposeLater().subscribe();
    take(generators, "e");
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(served).hasSize(5).endsWith("e");
    assertThat(errors).hasSize(1);
    List<String> done = new ArrayList<>();
    generators.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(done).containsExactly("done");
  }
}
