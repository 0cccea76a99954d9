package io.millrace.quickstart;

import io.millrace.SequenceStore;
import java.util.List;
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

  /** Writes a group of orders in one commit; emits how many. */
  Mono<Integer> insert(List<Order> group);

  /** All orders, by key. */
  Flux<Order> readAll();

  /** How many requests have gone out for sequences so far; 0 where none goes over a wire. */
  long sequenceRequests();

  @Override
  void close();
}
