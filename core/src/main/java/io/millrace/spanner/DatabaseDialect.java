package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Which dialect a database speaks. */
final class DatabaseDialect {

  private DatabaseDialect() {}

  /** Asking the client blocks: it may send a query. A failure, of any kind, is not remembered. */
  static Mono<Dialect> of(DatabaseClient client) {
    Mono<Dialect> asked =
        CalledMono.of(() -> Mono.just(client.getDialect()))
            .subscribeOn(Schedulers.boundedElastic())
            .cacheInvalidateIf(any -> false);
    // A source of our own: Reactor gives each subscriber of the cache its own ThreadLocals by it.
    return CalledMono.of(() -> asked);
  }
}
