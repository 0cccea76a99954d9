package io.millrace.perf;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceStore;
import io.millrace.StripedSequenceStore;
import io.millrace.spanner.NativeSequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs a workload: so many clients at a time, until all values are taken or the time is up. */
final class Run {

  /** A change of the schema takes minutes on an instance. */
  private static final Duration SETUP = Duration.ofMinutes(5);

  private static final Duration PROGRESS = Duration.ofMillis(200);

  private final Workload workload;
  private final RequestCounter requests;
  private final Generator generator;
  private final Reservations reservations;
  private final Tally tally;

  private Run(Workload workload, Site site, RequestCounter requests) {
    this.workload = workload;
    this.requests = requests;
    SpannerSequenceStore rows = SpannerSequenceStore.create(site.client());
    this.reservations = new Reservations(store(site, rows));
    this.generator = generator(site, rows);
    this.tally = new Tally(workload.iterations(), workload.clients());
  }

  /** Runs a workload in a database of its own; blocks until it is over. */
  static Figures of(Workload workload, Place place, IntConsumer progress) {
    try (Site site = place.open(workload.mode())) {
      return new Run(workload, site, place.requests()).execute(site.sequence(), progress);
    }
  }

  private SequenceStore store(Site site, SpannerSequenceStore rows) {
    return switch (workload.mode()) {
      case NATIVE ->
          NativeSequenceStore.builder(site.client()).admin(site.admin(), site.id()).build();
      case STRIPED -> StripedSequenceStore.builder(rows).build();
      default -> rows;
    };
  }

  private Generator generator(Site site, SpannerSequenceStore rows) {
    String sequence = site.sequence();
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(reservations, sequence);
    return switch (workload.mode()) {
      case SIMPLE, SYNC ->
          new InTransaction(site.client(), rows.transactional(sequence), workload.appLatency());
      case ONE_TXN_EACH -> new OneTransactionEach(reservations, sequence, workload.appLatency());
      case ASYNC -> buffered(builder.batchSize(1));
      case BATCH -> buffered(builder.batchSize(workload.batchSize()));
      case ASYNC_BATCH, NATIVE, STRIPED ->
          buffered(builder.batchSize(workload.batchSize()).lowWatermark(workload.watermark()));
      case ADAPTIVE ->
          buffered(
              builder.adaptive(
                  Workload.ADAPTIVE_MIN, Workload.ADAPTIVE_MAX, Workload.ADAPTIVE_TARGET));
    };
  }

  private Generator buffered(SequenceGeneratorBuilder builder) {
    return new Buffered(builder.build(), reservations, workload.appLatency());
  }

  private Figures execute(String sequence, IntConsumer progress) {
    reservations.create(sequence, 1).then(generator.warmUp()).block(SETUP);
    long sent = requests.sent();
    long aborted = requests.aborted();
    Disposable shown =
        Flux.interval(PROGRESS)
            .onBackpressureDrop()
            .subscribe(tick -> progress.accept(tally.done()));
    long start = System.nanoTime();
    Flux.range(0, workload.clients())
        .flatMap(this::client, workload.clients())
        .takeUntilOther(Mono.delay(workload.timeLimit()))
        .blockLast(workload.timeLimit().plus(SETUP));
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    tally.stop();
    sent = requests.sent() - sent;
    aborted = requests.aborted() - aborted;
    shown.dispose();
    progress.accept(tally.done());
    generator.close().block(SETUP);
    return figures(millis, sent, aborted);
  }

  /** Takes its turns until no iteration is left. An error costs it its turn, and no more. */
  private Mono<Void> client(int number) {
    Mono<Boolean> turn =
        Mono.defer(
            () -> {
              int count = tally.begin(number, workload.perTurn());
              return count == 0 ? Mono.just(false) : turn(number, count);
            });
    return turn.repeat().takeWhile(Boolean::booleanValue).then();
  }

  private Mono<Boolean> turn(int client, int count) {
    return generator
        .turn(count)
        .doOnNext(taken -> tally.took(client, taken))
        .thenReturn(true)
        .onErrorResume(
            error -> {
              tally.failed(client, count, error);
              return Mono.delay(workload.appLatency()).thenReturn(true);
            });
  }

  private Figures figures(long millis, long sent, long aborted) {
    Mode mode = workload.mode();
    return new Figures(
        mode,
        workload.label(),
        workload.clients(),
        workload.iterations(),
        workload.perTurn(),
        mode.hasBatchSize() ? workload.batchSize() : 0,
        mode.hasWatermark() ? workload.watermark() : 0,
        workload.appLatency().toNanos() / 1e6,
        tally.taken(),
        tally.duplicates(),
        tally.failed(),
        tally.errors(),
        tally.unfinished(),
        tally.longestUnfinishedMillis(),
        millis,
        tally.taken() * 1000.0 / millis,
        Latencies.of(tally.iteration()),
        Latencies.of(tally.taking()),
        mode.isInTransaction() ? null : reserved(),
        sent,
        aborted);
  }

  private Reserved reserved() {
    return new Reserved(
        reservations.completed(),
        reservations.reserved(),
        Latencies.of(reservations.micros()),
        tally.longestWait(),
        generator.waste(),
        reservations.givenBack());
  }
}
