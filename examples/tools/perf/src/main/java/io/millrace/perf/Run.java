package io.millrace.perf;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceStore;
import io.millrace.spanner.NativeSequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs a workload with concurrent clients, until all values are taken or the time is up. */
final class Run {

  /** A schema change takes minutes on an instance. */
  private static final Duration SETUP = Duration.ofMinutes(5);

  private static final int WARM_UP_ITERATIONS = 100_000;

  /** How long the warm-up waits for clients that are in an iteration. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * The results that the tally does not hold.
   *
   * @param unmeasured the tally of the warm-up
   * @param before the counts of reservations at the end of the warm-up
   * @param requests the requests that were sent during the measured part
   */
  private record Measured(
      Tally unmeasured, Reservations.Counts before, long millis, long requests, long aborted) {}

  private final Workload workload;
  private final RequestCounter requests;
  private final Application application;
  private final Generator generator;
  private final Reservations reservations;
  private final Tally tally;

  private Run(Workload workload, RunDatabase database, RequestCounter requests) {
    this.workload = workload;
    this.requests = requests;
    SpannerSequenceStore rows = SpannerSequenceStore.create(database.client());
    this.reservations = new Reservations(store(database, rows));
    this.application = application(database);
    this.generator = generator(database, rows);
    this.tally = new Tally(workload.iterations(), workload.clients());
  }

  /** Runs a workload in a new database; blocks until the end. */
  static Figures of(Workload workload, Place place) {
    try (RunDatabase database = place.open(workload.mode())) {
      return in(database, workload, place.requests());
    }
  }

  /** Runs a workload in a database; blocks until the end. */
  static Figures in(RunDatabase database, Workload workload, RequestCounter requests) {
    return new Run(workload, database, requests).execute(database.sequence());
  }

  private SequenceStore store(RunDatabase database, SpannerSequenceStore rows) {
    return switch (workload.mode()) {
      case NATIVE -> {
        RunDatabase.change(
            database.admin(),
            database.id(),
            "CREATE SEQUENCE " + database.sequence() + " BIT_REVERSED_POSITIVE");
        yield NativeSequenceStore.create(database.client());
      }
      default -> rows;
    };
  }

  private Application application(RunDatabase database) {
    return switch (workload.application()) {
      case TIMER -> client -> Mono.delay(workload.appLatency()).then();
      case TRANSACTION ->
          new ApplicationTransaction(database.client(), database.sequence(), workload.appLatency());
    };
  }

  private Generator generator(RunDatabase database, SpannerSequenceStore rows) {
    String sequence = database.sequence();
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(reservations, sequence);
    return switch (workload.mode()) {
      case SIMPLE, SYNC ->
          new InTransaction(database.client(), rows.transactional(sequence), workload.appLatency());
      case BY_HAND ->
          new ByHand(database.client(), sequence, workload.appLatency(), workload.clients());
      case COUNTER -> new Counter(application);
      case ONE_TXN_EACH -> new OneTransactionEach(reservations, sequence, application);
      case ASYNC -> buffered(builder.blockSize(1));
      case BATCH -> buffered(builder.blockSize(workload.blockSize()));
      case ASYNC_BATCH, NATIVE ->
          buffered(builder.blockSize(workload.blockSize()).lowWatermark(workload.watermark()));
      case ADAPTIVE ->
          buffered(
              builder.adaptive(
                  Workload.ADAPTIVE_MIN, Workload.ADAPTIVE_MAX, Workload.ADAPTIVE_TARGET));
    };
  }

  private Generator buffered(SequenceGeneratorBuilder builder) {
    return new Buffered(builder.build(), reservations, application);
  }

  private Figures execute(String sequence) {
    Measured measured;
    try (generator) {
      reservations.create(sequence, 1).block(SETUP);
      Tally unmeasured = warmUp();
      Reservations.Counts before = reservations.counts();
      reservations.takeTimes();
      measured = measured(unmeasured, before);
    }
    return figures(measured);
  }

  /**
   * Runs the same work for the time of the warm-up. Afterwards all clients have had their sessions,
   * and the JVM has loaded the code. Iterations are completed and not cancelled, so no transaction
   * stays open.
   */
  private Tally warmUp() {
    Tally unmeasured =
        new Tally(Math.min(WARM_UP_ITERATIONS, workload.iterations()), workload.clients());
    if (workload.warmUp().isZero()) {
      return unmeasured;
    }
    generator.warmUp().block(SETUP);
    clients(unmeasured)
        .takeUntilOther(
            Mono.delay(workload.warmUp())
                .doOnNext(late -> unmeasured.stopNewIterations())
                .then(Mono.delay(PATIENCE)))
        .blockLast(SETUP);
    unmeasured.stop();
    return unmeasured;
  }

  private Measured measured(Tally unmeasured, Reservations.Counts before) {
    long sent = requests.sent();
    long aborted = requests.aborted();
    long start = System.nanoTime();
    clients(tally)
        .takeUntilOther(Mono.delay(workload.timeLimit()))
        .blockLast(workload.timeLimit().plus(SETUP));
    tally.stop();
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    return new Measured(
        unmeasured, before, millis, requests.sent() - sent, requests.aborted() - aborted);
  }

  private Flux<Void> clients(Tally to) {
    return Flux.range(0, workload.clients())
        .flatMap(client -> client(client, to), workload.clients());
  }

  /** A client takes turns until no iteration is left. An error ends only its turn. */
  private Mono<Void> client(int number, Tally to) {
    Mono<Boolean> turn =
        Mono.defer(
            () -> {
              int count = to.begin(number, workload.perTurn());
              return count == 0 ? Mono.just(false) : turn(number, count, to);
            });
    return turn.repeat().takeWhile(Boolean::booleanValue).then();
  }

  private Mono<Boolean> turn(int client, int count, Tally to) {
    return generator
        .turn(client, count)
        .doOnNext(taken -> to.took(client, taken))
        .thenReturn(true)
        .onErrorResume(
            error -> {
              to.failed(client, count, error);
              return Mono.delay(workload.appLatency()).thenReturn(true);
            });
  }

  private Figures figures(Measured measured) {
    Mode mode = workload.mode();
    return new Figures(
        mode,
        workload.label(),
        workload.clients(),
        workload.iterations(),
        workload.perTurn(),
        workload.application(),
        workload.appLatency().toNanos() / 1e6,
        new WarmUp(
            measured.unmeasured().taken(),
            measured.unmeasured().failed(),
            measured.before().values()),
        tally.taken(),
        tally.duplicates(),
        tally.failed(),
        tally.errors(),
        tally.unfinished(),
        tally.longestUnfinishedMillis(),
        measured.millis(),
        tally.taken() * 1000.0 / measured.millis(),
        Latencies.of(tally.iteration()),
        Latencies.of(tally.taking()),
        Latencies.of(tally.first()),
        mode.reserves() ? reserved(measured) : null,
        measured.requests(),
        measured.aborted());
  }

  /** Includes a reservation that was in progress when the clients finished. */
  private Reserved reserved(Measured measured) {
    Reservations.Counts counts = reservations.counts().since(measured.before());
    return new Reserved(
        counts.completed(),
        counts.failed(),
        counts.values(),
        Latencies.of(reservations.takeTimes()),
        workload.mode().tellsReservation() ? tally.longestWait() : null,
        generator.waste(),
        reservations.givenBack());
  }
}
