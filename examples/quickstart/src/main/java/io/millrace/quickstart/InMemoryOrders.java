package io.millrace.quickstart;

import io.millrace.InMemorySequenceStore;
import io.millrace.SequenceStore;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Orders in this process's memory, for a machine without a Spanner emulator. */
class InMemoryOrders implements OrderDatabase {

  private final InMemorySequenceStore sequences = InMemorySequenceStore.create();
  private final ConcurrentSkipListMap<Long, Order> rows = new ConcurrentSkipListMap<>();

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
  public Mono<Integer> insert(List<Order> group) {
    return Mono.fromCallable(
        () -> {
          for (Order order : group) {
            if (rows.putIfAbsent(order.key(), order) != null) {
              throw new IllegalStateException("an order with key " + order.key() + " exists");
            }
          }
          return group.size();
        });
  }

  @Override
  public Flux<Order> readAll() {
    return Flux.fromIterable(rows.values());
  }

  @Override
  public long sequenceRequests() {
    return 0;
  }

  @Override
  public void close() {}
}
