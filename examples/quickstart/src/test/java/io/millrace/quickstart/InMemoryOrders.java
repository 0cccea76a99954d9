package io.millrace.quickstart;

import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Orders in this process's memory, without any database. */
class InMemoryOrders implements OrderDatabase {

  private final InMemorySequenceStore sequences = InMemorySequenceStore.create();
  private final ConcurrentSkipListMap<Order, Order> rows =
      new ConcurrentSkipListMap<>(
          Comparator.comparingLong(Order::shard).thenComparingLong(Order::key));

  @Override
  public String description() {
    return "this process's memory";
  }

  @Override
  public Mono<Void> createTables() {
    return Mono.empty();
  }

  @Override
  public SequenceStore sequences() {
    return sequences;
  }

  @Override
  public Function<Flux<Order>, Flux<Order>> insert(int group) {
    return orders ->
        orders.doOnNext(
            order -> {
              if (rows.putIfAbsent(order, order) != null) {
                throw new IllegalStateException("an order with key " + order.key() + " exists");
              }
            });
  }

  @Override
  public Flux<Order> readAll() {
    return Flux.fromIterable(rows.values());
  }

  @Override
  public void close() {}
}
