package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.insert.InsertOutcome;
import io.millrace.key.KeyEncoder;
import io.millrace.key.Shards;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/**
 * A value for each element of a stream of {@value #ELEMENTS} orders that exist already. One
 * operation is one element: read from an array, copied with its new key or keys, and taken by a
 * subscriber with unbounded demand.
 */
@State(Scope.Benchmark)
public class Elements {

  static final int ELEMENTS = 1_000_000;

  private final SequenceGenerator generator = Engines.prefetching(1_000);
  private final Shards<Long> shards = Shards.farmFingerprint(64, KeyEncoder.int64());
  private final AtomicLong counter = new AtomicLong();
  private final Order[] orders = new Order[ELEMENTS];

  public Elements() {
    for (int i = 0; i < ELEMENTS; i++) {
      orders[i] = new Order(i, 0, 0);
    }
  }

  /** An id from the generator. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void assign(ValueTaker taker) {
    taker.takeAll(Flux.fromArray(orders).transform(generator.assign(Order::withId)), ELEMENTS);
  }

  /** Peer: an id from a stream of numbers, with Reactor alone. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void zipWithRange(ValueTaker taker) {
    taker.takeAll(
        Flux.fromArray(orders).zipWith(Flux.range(0, ELEMENTS), (order, id) -> order.withId(id)),
        ELEMENTS);
  }

  /** Peer: no generator; the element is copied with a number that it already has. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void map(ValueTaker taker) {
    taker.takeAll(Flux.fromArray(orders).map(order -> order.withId(order.customer())), ELEMENTS);
  }

  /** An id, a shard, and groups of 500 into a database that costs nothing. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void pipeline(ValueTaker taker) {
    taker.takeAll(
        Flux.fromArray(orders)
            .transform(generator.assign(Order::withId))
            .transform(shards.assign(Order::customer, Order::withShard))
            .transform(new FreeInserts().rows()),
        ELEMENTS);
  }

  /** Peer: what a user would write with Reactor alone: maps, buffers of 500, concatMap. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void pipelineByHand(ValueTaker taker) {
    FreeInserts.Database database = new FreeInserts.Database();
    taker.takeAll(
        Flux.fromArray(orders)
            .map(order -> order.withId(counter.getAndIncrement()))
            .map(order -> order.withShard(shards.apply(order.customer())))
            .map(database::prepare)
            .buffer(500)
            .concatMap(group -> database.commit(group).flatMapIterable(rows -> rows))
            .map(InsertOutcome.Committed::row),
        ELEMENTS);
  }
}
