package io.millrace.admin;

import io.millrace.SequenceAdministration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The counters of one database, on Spanner's client or on R2DBC. */
interface Counters extends AutoCloseable {

  /** The table of counters, with the ledger if one was named. */
  SequenceAdministration table();

  /** Spanner's own sequences; empty on other databases. */
  Flux<NativeSequence> natives();

  Mono<Void> createTable();

  /** The values of a column in rising order, read as they are requested. */
  Flux<Long> used(String table, String column);

  @Override
  void close();
}
