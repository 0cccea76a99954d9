package io.millrace.admin;

import io.millrace.SequenceState;
import io.millrace.ledger.SequenceAudit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The counters of one database, on Spanner's client or on R2DBC. */
interface Counters extends AutoCloseable {

  Flux<SequenceState> states();

  /** Spanner's own sequences; empty on other databases. */
  Flux<NativeSequence> natives();

  Mono<SequenceState> state(String name);

  Mono<Void> createTable();

  Mono<Void> create(String name, long start);

  Mono<SequenceState> moveForward(String name, long next);

  Mono<Boolean> moveTo(String name, long expected, long next);

  Mono<Boolean> drop(String name);

  /** An error if no ledger was named. */
  SequenceAudit audit();

  /** The values of a column in rising order, read as they are requested. */
  Flux<Long> used(String table, String column);

  @Override
  void close();
}
