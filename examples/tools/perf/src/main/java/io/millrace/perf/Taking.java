package io.millrace.perf;

import java.util.List;
import java.util.function.IntFunction;
import reactor.core.publisher.Mono;

/** A way to issue values to clients, set up for one run. */
@FunctionalInterface
interface Taking {

  /**
   * The values that a client took in one turn.
   *
   * @param values one value, or those of one transaction
   * @param nanos how long it took to get them, without the application's time
   */
  record Taken(List<Long> values, long nanos) {}

  /** One turn of a client: takes {@code count} values, and does the application's work. */
  Mono<Taken> turn(int client, int count);

  /**
   * Takes a value first, and then does the application's work.
   *
   * @param application the work of a client
   */
  static Taking before(IntFunction<Mono<Void>> application, Mono<Long> next) {
    return (client, count) ->
        Mono.defer(
                () -> {
                  long start = System.nanoTime();
                  return next.map(value -> new Taken(List.of(value), System.nanoTime() - start));
                })
            .delayUntil(taken -> application.apply(client));
  }
}
