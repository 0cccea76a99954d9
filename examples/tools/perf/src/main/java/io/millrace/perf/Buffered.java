package io.millrace.perf;

import io.millrace.SequenceGenerator;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A generator of this project. A client takes a value first, and then does the application's work.
 */
final class Buffered implements Generator {

  private static final Duration CLOSING = Duration.ofMinutes(1);

  private final SequenceGenerator generator;
  private final Reservations reservations;
  private final Application application;

  Buffered(SequenceGenerator generator, Reservations reservations, Application application) {
    this.generator = generator;
    this.reservations = reservations;
    this.application = application;
  }

  /** Fills the buffer. A generator without a buffer reserves a value, to create the session. */
  @Override
  public Mono<Void> warmUp() {
    return generator.warmup().then(Mono.defer(this::firstReservation));
  }

  private Mono<Void> firstReservation() {
    return reservations.counts().completed() > 0 ? Mono.empty() : generator.next().then();
  }

  @Override
  public Mono<TakenValues> turn(int client, int count) {
    return Mono.defer(
            () -> {
              long before = reservations.attempts();
              long start = System.nanoTime();
              return generator
                  .next()
                  .map(
                      value ->
                          new TakenValues(
                              List.of(value),
                              System.nanoTime() - start,
                              reservations.reservationsAwaited(value, before)));
            })
        .delayUntil(taken -> application.work(client));
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
