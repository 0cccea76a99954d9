package io.millrace.r2dbc;

import reactor.core.publisher.Mono;

/** Sequences of this module's stores that issue values in a transaction of the application. */
interface OwnSequences {

  /** Completes when the dialect is known. From then on, only the caller's connection is needed. */
  Mono<?> ready();
}
