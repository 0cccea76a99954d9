package io.millrace.spanner;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Lets the DML statements of a transaction go one at a time, in the order in which they were
 * subscribed to. Each carries a number, and Spanner invalidates a transaction whose numbers arrive
 * out of order, as they do when requests overtake each other.
 */
final class StatementTurns {

  /** Completes when the latest statement in line is done. Replaced by whoever lines up. */
  private final AtomicReference<Mono<Void>> last = new AtomicReference<>(Mono.empty());

  /** Lines up at subscription; the statement reports its first answer, and then it is done. */
  <V> Flux<V> take(Function<FirstAnswer, Flux<V>> start) {
    return Flux.defer(
        () -> {
          Sinks.Empty<Void> done = Sinks.empty();
          Mono<Void> before = last.getAndSet(done.asMono());
          AtomicBoolean decided = new AtomicBoolean();
          return before
              .thenMany(
                  Flux.defer(
                      () ->
                          decided.compareAndSet(false, true)
                              ? Flux.defer(() -> start.apply(failure -> done.tryEmitEmpty()))
                                  .doOnError(failure -> done.tryEmitEmpty())
                              : Flux.never()))
              .doOnCancel(
                  () -> {
                    if (decided.compareAndSet(false, true)) {
                      // Left the line: those behind wait for those before.
                      before.subscribe(null, null, done::tryEmitEmpty);
                    }
                  });
        });
  }
}
