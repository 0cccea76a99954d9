package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.InlineScheduler;
import io.millrace.Internals;
import io.millrace.QueueingScheduler;
import io.millrace.RecordingRecorder;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.SequenceTimeoutException;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The turns that the generators of one home take at the store. Time is virtual. */
class ReservationBulkheadTest {

  private static final Duration LATENCY = Duration.ofMillis(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore memory =
      InMemorySequenceStore.create().latency(LATENCY, time);
  private final Watched store = new Watched(memory);
  private final List<Throwable> errors = new ArrayList<>();
  private final List<String> served = new ArrayList<>();

  /** Counts what is under way. */
  private static final class Watched extends DelegatingSequenceStore {

    private final AtomicInteger inFlight = new AtomicInteger();
    private final List<String> reserved = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();
    private int most;

    Watched(SequenceStore store) {
      super(store);
    }

    private <T> Mono<T> watch(Mono<T> request) {
      return Mono.defer(
          () -> {
            most = Math.max(most, inFlight.incrementAndGet());
            return request.doFinally(end -> inFlight.decrementAndGet());
          });
    }

    @Override
    public Mono<SequenceBlock> reserve(ReservationRequest request) {
      return watch(
          Mono.defer(
              () -> {
                reserved.add(request.sequence());
                sizes.add(request.size());
                return super.reserve(request);
              }));
    }

    @Override
    public Mono<Boolean> release(String sequence, SequenceBlock tail) {
      return watch(super.release(sequence, tail));
    }
  }

  private SequenceGenerators.Builder builder(int limit) {
    return SequenceGenerators.builder(store)
        .scheduler(time)
        .maxConcurrentReservations(limit)
        .anyName()
        .defaults(options -> options.blockSize(100).createMissing(1));
  }

  private List<String> names(int count) {
    List<String> names = IntStream.range(0, count).mapToObj(i -> "s" + i).toList();
    names.forEach(name -> memory.create(name, 1).subscribe());
    time.advanceTimeBy(LATENCY);
    return names;
  }

  private Disposable take(SequenceGenerators generators, String name) {
    return generators.get(name).next().subscribe(value -> served.add(name), errors::add);
  }

  @Test
  void soManyReservationsAndGiveBacksAreUnderWayAtATimeAndTheFirstToComeAreTheFirstToGo() {
    SequenceGenerators generators = builder(3).build();
    List<String> names = names(20);
    names.forEach(name -> take(generators, name));
    assertThat(store.inFlight).hasValue(3);
    time.advanceTimeBy(LATENCY);
    assertThat(served).isEqualTo(names.subList(0, 3));
    assertThat(store.inFlight).hasValue(3);
    time.advanceTimeBy(LATENCY.multipliedBy(6));
    assertThat(served).isEqualTo(names);
    assertThat(store.reserved).isEqualTo(names);

    generators.disposeLater().subscribe();
    assertThat(store.inFlight).as("give-backs").hasValue(3);
    time.advanceTimeBy(LATENCY.multipliedBy(7));
    assertThat(memory.releases()).isEqualTo(20);
    assertThat(store.inFlight).hasValue(0);
    assertThat(store.most).isEqualTo(3);
  }

  @Test
  void aPermitComesBackWhateverBecomesOfTheRequest() {
    SequenceGenerators generators =
        builder(1)
            .defaults(
                options ->
                    options
                        .reservationTimeout(Duration.ofSeconds(1))
                        .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1))
            .build();
    List<String> names = names(7);
    memory.failNextReservations(1, new IllegalStateException("on purpose"));
    memory.hangNextReservations(1);
    memory.loseNextReservationAnswers(1, new IllegalStateException("on purpose"));
    for (String name : names.subList(0, 4)) {
      take(generators, name);
    }
    take(generators, names.get(4)).dispose(); // leaves before its turn
    Disposable leaving = take(generators, names.get(5));
    time.advanceTimeBy(LATENCY);
    leaving.dispose();
    take(generators, names.get(6));
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(errors).hasSize(3);
    assertThat(served).containsExactly("s3", "s6");
    assertThat(store.inFlight).hasValue(0);
  }

  @Test
  void theStoreThatThrowsOrAnswersNothingGivesThePermitBackToo() {
    SequenceStore broken =
        new DelegatingSequenceStore(memory) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return switch (request.sequence()) {
              case "throws" -> throw new IllegalStateException("on purpose");
              case "empty" -> Mono.empty();
              default -> super.reserve(request);
            };
          }
        };
    SequenceGenerators generators =
        SequenceGenerators.builder(broken)
            .scheduler(time)
            .maxConcurrentReservations(1)
            .anyName()
            .defaults(options -> options.backoff(Duration.ofDays(1), Duration.ofDays(1), 0, 1))
            .build();
    names(1);
    take(generators, "throws");
    take(generators, "empty");
    take(generators, "s0");
    time.advanceTimeBy(LATENCY);
    assertThat(errors).hasSize(2);
    assertThat(served).containsExactly("s0");
  }

  @Test
  void theWaitForATurnIsNotTheStoresTime() {
    RecordingRecorder recorder = new RecordingRecorder();
    memory.latency(Duration.ofSeconds(4), time);
    SequenceGenerators generators =
        builder(1)
            .defaults(
                options ->
                    options
                        .reservationTimeout(Duration.ofSeconds(5))
                        .acquireTimeout(Duration.ofMinutes(1))
                        .metrics(recorder))
            .build();
    List<String> names = IntStream.range(0, 10).mapToObj(i -> "s" + i).toList();
    names.forEach(name -> memory.create(name, 1).subscribe());
    time.advanceTimeBy(Duration.ofSeconds(4));
    names.forEach(name -> take(generators, name));
    time.advanceTimeBy(Duration.ofSeconds(40));
    assertThat(served).isEqualTo(names);
    assertThat(errors).isEmpty();
    assertThat(recorder.failures).isEmpty();
    assertThat(recorder.reservationNanos).hasSize(10).containsOnly(Duration.ofSeconds(4).toNanos());
  }

  @Test
  void theWaitForATurnIsPartOfASubscribersWaitAndTheErrorSaysSo() {
    SequenceGenerators generators =
        builder(1)
            .defaults(
                options ->
                    options
                        .reservationTimeout(Duration.ofMinutes(1))
                        .acquireTimeout(Duration.ofSeconds(5)))
            .build();
    List<String> names = names(2);
    memory.hangNextReservations(1);
    names.forEach(name -> take(generators, name));
    assertThat(generators.get("s1").snapshot().reservationInFlight()).isFalse();
    time.advanceTimeBy(Duration.ofSeconds(5));
    assertThat(errors).hasSize(2).hasOnlyElementsOfType(SequenceTimeoutException.class);
    assertThat(errors.get(0)).hasMessageContaining("the store is slow, the blocks are too small");
    assertThat(errors.get(1)).hasMessageContaining("maxConcurrentReservations too small");
  }

  @Test
  void aReservationIsSizedWhenItsTurnHasCome() {
    SequenceGenerators generators = builder(1).defaults(options -> options.blockSize(1)).build();
    List<String> names = names(2);
    names.forEach(name -> take(generators, name));
    for (int i = 0; i < 4; i++) {
      take(generators, "s1"); // while its reservation waits
    }
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(served).hasSize(6);
    assertThat(store.sizes).containsExactly(1L, 5L);
  }

  @Test
  void aGeneratorThatIsDisposedGivesUpItsTurn() {
    SequenceGenerators generators = builder(1).build();
    memory.hangNextReservations(1);
    List<String> names = names(3);
    names.forEach(name -> take(generators, name));
    List<String> done = new ArrayList<>();
    generators.disposeLater().subscribe(nothing -> {}, errors::add, () -> done.add("done"));
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(done).as("only the reservation in flight is waited for").containsExactly("done");
    assertThat(memory.reservations()).isEqualTo(1);
  }

  private SequenceGenerator limited(Bulkhead limit, Scheduler scheduler) {
    GeneratorConfig config =
        Internals.configOf(SequenceGenerator.builder(memory, "s").scheduler(scheduler));
    return new BufferedSequenceGenerator(config, limit);
  }

  @Test
  void aTurnThatIsAdmittedToAGeneratorDisposedMeanwhileEnds() {
    QueueingScheduler queue = new QueueingScheduler();
    ReservationBulkhead limit = new ReservationBulkhead(1);
    SequenceGenerator generator = limited(limit, queue);
    generator.next().subscribe(value -> {}, errors::add);
    queue.runNext(); // takes its turn, and is admitted
    assertThat(limit.free()).isZero();
    generator.dispose();
    queue.runNext();
    assertThat(limit.free()).isEqualTo(1);
    assertThat(memory.reservations()).isZero();
  }

  @Test
  void generatorsThatAreDisposedLeaveTheLine() {
    ReservationBulkhead limit = new ReservationBulkhead(1);
    List<Admission> running = new ArrayList<>();
    new Admission(limit, time, running::add).take();
    for (int i = 0; i < 500; i++) {
      SequenceGenerator generator = limited(limit, time);
      generator.next().subscribe(value -> {}, errors::add);
      generator.dispose();
    }
    assertThat(errors).hasSize(500);
    assertThat(limit.queueLength()).isLessThan(100);
    assertThat(running).hasSize(1);
  }

  @Test
  void turnsThatAreGivenUpAreForgotten() {
    ReservationBulkhead limit = new ReservationBulkhead(1);
    List<Admission> running = new ArrayList<>();
    new Admission(limit, time, running::add).take();
    for (int i = 0; i < 10_000; i++) {
      Admission turn = new Admission(limit, time, running::add);
      turn.take();
      turn.dispose();
      turn.dispose();
      assertThat(limit.queueLength()).isLessThan(100);
    }
    Admission last = new Admission(limit, time, running::add);
    last.take();
    assertThat(running).hasSize(1);
    running.get(0).end();
    running.get(0).end();
    assertThat(running).hasSize(2).last().isSameAs(last);
    last.end();
    assertThat(limit.free()).isEqualTo(1);
  }

  @Test
  void withdrawnRequestsAreSweptWhenTheyAreManyAndThoseThatWaitKeepTheirTurns() {
    ReservationBulkhead bulkhead = new ReservationBulkhead(1);
    InlineScheduler scheduler = new InlineScheduler();
    List<Integer> ran = new ArrayList<>();
    List<Admission> requests =
        IntStream.range(0, 70)
            .mapToObj(i -> new Admission(bulkhead, scheduler, admission -> ran.add(i)))
            .toList();
    requests.forEach(Admission::take);
    assertThat(ran).containsExactly(0);
    requests.subList(1, 65).forEach(Admission::dispose);
    assertThat(bulkhead.queueLength()).isEqualTo(69);
    requests.get(65).dispose();
    assertThat(bulkhead.queueLength()).isEqualTo(4);
    requests.get(66).dispose();
    assertThat(bulkhead.queueLength()).as("a new count").isEqualTo(4);

    requests.get(0).end();
    requests.get(67).end();
    requests.get(68).end();
    assertThat(ran).containsExactly(0, 67, 68, 69);
    assertThat(bulkhead.free()).isZero();
    requests.get(69).end();
    assertThat(bulkhead.free()).isEqualTo(1);
  }
}
