package io.millrace.engine;

import reactor.core.publisher.Mono;

/** Decides when the request of an {@link Admission} may run. */
interface Bulkhead {

  /** Admits a request, now or later, unless it is withdrawn before. Called once for each. */
  void enter(Admission admission);

  /** Completes once requests may enter at once. */
  default Mono<Void> whenOpen() {
    return Mono.empty();
  }

  /** A request that was admitted has ended. */
  void ended();

  /** A request that was not admitted was withdrawn. */
  void withdrawn();
}
