package io.millrace.r2dbc;

import reactor.core.publisher.Mono;

/** Gives values of this module's stores in a transaction of the application. */
interface OwnSequences {

  /** Completes when the dialect is known. From then on, only the caller's connection is needed. */
  Mono<?> ready();

  /** Whether what a transaction takes has an entry in a ledger. */
  boolean isRecorded();
}
