package io.millrace.perf;

import reactor.core.publisher.Mono;

/** The application's work after it has taken a value. */
interface Application {

  /** The names are those of {@code --app}. */
  enum Kind {
    TRANSACTION,
    TIMER
  }

  /** The work of a client's iteration. Completes when it is done; blocks no thread. */
  Mono<Void> work(int client);
}
