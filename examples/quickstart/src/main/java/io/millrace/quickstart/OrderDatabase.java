package io.millrace.quickstart;

import io.millrace.SequenceStore;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Where the job keeps its orders and its counter. */
interface OrderDatabase extends AutoCloseable {

  /** What it is, for people. */
  String description();

  /** Makes the tables; completes when they are there. */
  Mono<Void> createTables();

  /** The counters of sequences. */
  SequenceStore sequences();

  /** Makes an operator that writes orders, so many in one commit, and emits those written. */
  Function<Flux<Order>, Flux<Order>> insert(int group);

  /** All orders, by shard and key. */
  Flux<Order> readAll();

  /** How many requests have gone out for sequences so far; 0 where none goes over a wire. */
  long sequenceRequests();

  @Override
  void close();
}
