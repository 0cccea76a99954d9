package io.millrace.quickstart;

import io.millrace.SequenceStore;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Stores the orders and the counter of the job. */
interface OrderDatabase extends AutoCloseable {

  /** A description to print. */
  String description();

  /** Creates the tables; completes when they exist. */
  Mono<Void> createTables();

  /** The counters of sequences. */
  SequenceStore sequences();

  /** Returns an operator that writes orders, {@code group} in a commit, and emits them. */
  Function<Flux<Order>, Flux<Order>> insert(int group);

  /** All orders, by shard and key. */
  Flux<Order> readAll();

  @Override
  void close();
}
