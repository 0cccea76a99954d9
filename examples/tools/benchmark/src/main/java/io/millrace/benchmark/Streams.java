package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.SegmentId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/**
 * Many values for one taker. One operation is one value. An invocation takes {@value #VALUES} of
 * them, from one subscription if there is one. All threads share the generator, counter or id;
 * {@code Flux.range} and {@code Flux.generate} share nothing.
 */
@State(Scope.Benchmark)
public class Streams {

  static final int VALUES = 10_000;

  /** The number of values in a reservation, and CosId's step. */
  @Param("1000")
  public long blockSize = 1_000;

  private SequenceGenerator generator = Engines.prefetching(1_000);
  private SequenceGenerator byDefault = Engines.byDefault();
  private SegmentId segment = new DefaultSegmentId(new IdSegmentDistributor.Atomic(1_000));
  private SegmentId chain = segment;
  private final AtomicLong counter = new AtomicLong();

  @Setup
  public void build() {
    generator = Engines.prefetching(blockSize);
    byDefault = Engines.byDefault();
    segment = new DefaultSegmentId(new IdSegmentDistributor.Atomic(blockSize));
    chain = new SegmentChainId(new IdSegmentDistributor.Atomic(blockSize));
  }

  /** A subscription to values() that requests exactly the values that it takes. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void values(ValueTaker taker) {
    taker.take(generator.values(), VALUES);
  }

  /**
   * The same, from a generator with the default settings. Its blocks follow the demand, and are
   * reserved on the parallel scheduler.
   */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void valuesByDefault(ValueTaker taker) {
    taker.take(byDefault.values(), VALUES);
  }

  /** The same, with Reactor's take. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void valuesTake(ValueTaker taker) {
    taker.takeAll(generator.values().take(VALUES), VALUES);
  }

  /** Peer: the simplest source. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void range(ValueTaker taker) {
    taker.takeAll(Flux.range(1_000, VALUES), VALUES);
  }

  /** The limit, not a peer: range with boxed longs, which take 24 bytes instead of 16. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void longRange(ValueTaker taker) {
    taker.takeAll(new LongRange(1_000, VALUES), VALUES);
  }

  /** Peer: a source with a state, here a boxed counter. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void generate(ValueTaker taker) {
    taker.take(
        Flux.<Long, Long>generate(
            () -> 1_000L,
            (state, sink) -> {
              sink.next(state);
              return state + 1;
            }),
        VALUES);
  }

  /** Peer: CosId's segments. The next one is fetched when the current one is used up. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void cosIdSegment(ValueTaker taker) {
    generate(segment, taker.outlet());
  }

  /** Peer: CosId's chain of segments, which its own thread prefetches. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void cosIdChain(ValueTaker taker) {
    generate(chain, taker.outlet());
  }

  /** The same with an object for each value, as values() must create. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void cosIdChainBoxed(ValueTaker taker) {
    Outlet outlet = taker.outlet();
    for (int i = 0; i < VALUES; i++) {
      outlet.take((Object) chain.generate());
    }
  }

  private static void generate(SegmentId id, Outlet outlet) {
    for (int i = 0; i < VALUES; i++) {
      outlet.take(id.generate());
    }
  }

  /** Peer: a counter, with one atomic add and one object for each value. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void atomicLong(ValueTaker taker) {
    Outlet outlet = taker.outlet();
    for (int i = 0; i < VALUES; i++) {
      outlet.take((Object) counter.getAndIncrement());
    }
  }
}
