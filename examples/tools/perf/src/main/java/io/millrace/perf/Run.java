package io.millrace.perf;

import com.google.cloud.spanner.DatabaseClient;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.spanner.NativeSequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs a workload with concurrent clients, until all values are taken or the time is up. */
final class Run implements AutoCloseable {

  private static final Duration CLOSING = Duration.ofMinutes(1);

  /** How long the warm-up waits for clients that are in an iteration. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int MOST_WARM_UP_ITERATIONS = 100_000;

  private final Workload workload;
  private final @Nullable SequenceGenerator generator;
  private final Taking taking;

  private Run(Workload workload, DatabaseClient client) {
    this.workload = workload;
    SpannerSequenceStore rows = SpannerSequenceStore.create(client);
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(rows, Place.SEQUENCE);
    this.generator =
        switch (workload.mode()) {
          case ASYNC -> builder.blockSize(1).build();
          case BATCH -> builder.blockSize(200).build();
          case ASYNC_BATCH -> builder.blockSize(200).lowWatermark(50).build();
          case ADAPTIVE -> builder.adaptive(10, 10_000, Duration.ofSeconds(1)).build();
          case NATIVE ->
              SequenceGenerator.builder(NativeSequenceStore.create(client), Place.NATIVE_SEQUENCE)
                  .blockSize(200)
                  .lowWatermark(50)
                  .build();
          default -> null;
        };
    this.taking = taking(client, rows);
  }

  private Taking taking(DatabaseClient client, SpannerSequenceStore rows) {
    Duration latency = workload.appLatency();
    IntFunction<Mono<Void>> application =
        number -> workload.application().work(client, number, latency);
    if (generator != null) {
      return Taking.before(application, generator.next());
    }
    return switch (workload.mode()) {
      case COUNTER -> {
        AtomicLong counter = new AtomicLong(1);
        yield Taking.before(application, Mono.fromSupplier(counter::getAndIncrement));
      }
      case ONE_TXN_EACH ->
          Taking.before(
              application, Mono.defer(() -> rows.reserve(Place.SEQUENCE, 1)).map(b -> b.first()));
      case BY_HAND -> new ByHand(client, latency, workload.clients());
      default -> new InTransaction(client, rows.transactional(Place.SEQUENCE), latency);
    };
  }

  /** Runs a workload in a new database; blocks until the end. */
  static Figures of(Workload workload, Place place) {
    try (Place.RunDatabase database = place.open();
        Run run = new Run(workload, database.client())) {
      Tally warmUp = run.warmUp();
      return run.measure(warmUp);
    }
  }

  /**
   * Runs the same work for the time of the warm-up. Afterwards all clients have had their sessions,
   * and the JVM has loaded the code. Iterations are completed and not cancelled, so no transaction
   * stays open.
   */
  private Tally warmUp() {
    int most = Math.min(MOST_WARM_UP_ITERATIONS, workload.iterations());
    Tally unmeasured = new Tally(most, workload.clients());
    if (!workload.warmUp().isZero()) {
      Mono<Long> end =
          Mono.delay(workload.warmUp()).doOnNext(late -> unmeasured.stopNewIterations());
      clients(unmeasured).takeUntilOther(end.then(Mono.delay(PATIENCE))).blockLast();
    }
    unmeasured.stop();
    return unmeasured;
  }

  private Figures measure(Tally warmUp) {
    Tally tally = new Tally(workload.iterations(), workload.clients());
    long start = System.nanoTime();
    clients(tally).takeUntilOther(Mono.delay(workload.timeLimit())).blockLast();
    tally.stop();
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    SequenceGeneratorSnapshot snapshot = generator == null ? null : generator.snapshot();
    return Figures.of(workload, tally, warmUp.taken(), millis, snapshot);
  }

  private Flux<Void> clients(Tally to) {
    return Flux.range(0, workload.clients())
        .flatMap(client -> client(client, to), workload.clients());
  }

  /** A client takes turns until no iteration is left. An error ends only its turn. */
  private Mono<Void> client(int number, Tally to) {
    return Mono.defer(
            () -> {
              int count = to.begin(number, workload.perTurn());
              return count == 0 ? Mono.just(false) : turn(number, count, to);
            })
        .repeat()
        .takeWhile(Boolean::booleanValue)
        .then();
  }

  private Mono<Boolean> turn(int client, int count, Tally to) {
    return taking
        .turn(client, count)
        .doOnNext(taken -> to.took(client, taken))
        .thenReturn(true)
        .onErrorResume(
            error -> {
              to.failed(client, count, error);
              return Mono.delay(workload.appLatency()).thenReturn(true);
            });
  }

  @Override
  public void close() {
    if (generator != null) {
      generator.disposeLater().block(CLOSING);
    }
    if (taking instanceof ByHand byHand) {
      byHand.close();
    }
  }
}
