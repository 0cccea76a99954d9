package io.millrace.r2dbc;

import reactor.core.publisher.Mono;

/** Sequences of this module's stores that issue values in a transaction of the application. */
interface OwnSequences {

  /** Completes when the dialect is known. From then on, only the caller's connection is needed. */
  Mono<SequenceTable> ready();

  /** What is expected of a counter; nothing if more than an update is needed to move it. */
  ExpectedValue expected(String sequence);
}
