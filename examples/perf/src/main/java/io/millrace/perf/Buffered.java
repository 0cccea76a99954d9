package io.millrace.perf;

import io.millrace.SequenceGenerator;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A generator of this project: the values are taken first, then the application's time is spent.
 */
final class Buffered implements Generator {

  private static final Duration CLOSING = Duration.ofMinutes(1);

  private final SequenceGenerator generator;
  private final Reservations reservations;
  private final Duration appLatency;

  Buffered(SequenceGenerator generator, Reservations reservations, Duration appLatency) {
    this.generator = generator;
    this.reservations = reservations;
    this.appLatency = appLatency;
  }

  /** Fills the buffer; a generator that keeps none is asked for a value, for the session's sake. */
  @Override
  public Mono<Void> warmUp() {
    return generator.warmup().then(Mono.defer(this::firstReservation));
  }

  private Mono<Void> firstReservation() {
    return reservations.counts().completed() > 0 ? Mono.empty() : generator.next().then();
  }

  @Override
  public Mono<Taken> turn(int count) {
    return Mono.defer(
            () -> {
              long before = reservations.attempts();
              long start = System.nanoTime();
              return generator
                  .next()
                  .map(
                      value ->
                          new Taken(
                              List.of(value),
                              System.nanoTime() - start,
                              reservations.waitedFor(value, before)));
            })
        .delayUntil(taken -> Mono.delay(appLatency));
  }

  @Override
  public long waste() {
    return reservations.counts().values() - generator.snapshot().issued();
  }

  @Override
  public void close() {
    generator.disposeLater().block(CLOSING);
  }
}
