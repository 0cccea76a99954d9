package io.millrace.perf;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Mono;

/** The naive way: each value is reserved in a separate transaction. */
final class OneTransactionEach implements Generator {

  private final Reservations reservations;
  private final String sequence;
  private final Application application;
  private final LongAdder issued = new LongAdder();

  OneTransactionEach(Reservations reservations, String sequence, Application application) {
    this.reservations = reservations;
    this.sequence = sequence;
    this.application = application;
  }

  @Override
  public Mono<Void> warmUp() {
    return next().then();
  }

  @Override
  public Mono<TakenValues> turn(int client, int count) {
    return Mono.defer(
            () -> {
              long start = System.nanoTime();
              return next()
                  .map(value -> new TakenValues(List.of(value), System.nanoTime() - start, 1));
            })
        .delayUntil(taken -> application.work(client));
  }

  private Mono<Long> next() {
    return reservations
        .reserve(sequence, 1)
        .map(
            block -> {
              issued.increment();
              return block.first();
            });
  }

  @Override
  public long waste() {
    return reservations.counts().values() - issued.sum();
  }

  @Override
  public void close() {}
}
