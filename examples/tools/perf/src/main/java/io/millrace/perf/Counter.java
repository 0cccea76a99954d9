package io.millrace.perf;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * The limit of the modes that take a value before the application's work: a counter in memory,
 * which costs nothing. No generator can be faster.
 */
final class Counter implements Generator {

  private final AtomicLong next = new AtomicLong(1);
  private final Application application;

  Counter(Application application) {
    this.application = application;
  }

  @Override
  public Mono<Void> warmUp() {
    return Mono.empty();
  }

  @Override
  public Mono<TakenValues> turn(int client, int count) {
    return Mono.fromSupplier(
            () -> {
              long start = System.nanoTime();
              return new TakenValues(List.of(next.getAndIncrement()), System.nanoTime() - start, 0);
            })
        .delayUntil(taken -> application.work(client));
  }

  @Override
  public long waste() {
    return 0;
  }

  @Override
  public void close() {}
}
