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
 * Many values for one taker. One operation is one value; an invocation takes {@value #VALUES}, as
 * one subscription where there is one. All threads share the generator, counter or id; {@code
 * Flux.range} and {@code Flux.generate} share nothing.
 */
@State(Scope.Benchmark)
public class Streams {

  static final int VALUES = 10_000;

  /** Values a reservation, and CosId's step. */
  @Param("1000")
  public long blockSize = 1_000;

  private SequenceGenerator generator = Engines.prefetching(1_000);
  private SegmentId segment = new DefaultSegmentId(new IdSegmentDistributor.Atomic(1_000));
  private SegmentId chain = segment;
  private final AtomicLong counter = new AtomicLong();

  @Setup
  public void build() {
    generator = Engines.prefetching(blockSize);
    segment = new DefaultSegmentId(new IdSegmentDistributor.Atomic(blockSize));
    chain = new SegmentChainId(new IdSegmentDistributor.Atomic(blockSize));
  }

  /** A subscription to values() that requests what it takes. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void values(Drain drain) {
    drain.take(generator.values(), VALUES);
  }

  /** The same through Reactor's take. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void valuesTake(Drain drain) {
    drain.takeAll(generator.values().take(VALUES), VALUES);
  }

  /** Peer: the plainest source there is. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void range(Drain drain) {
    drain.takeAll(Flux.range(1_000, VALUES), VALUES);
  }

  /** No peer but a limit: range, if it had longs, which take 24 bytes and not 16. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void longRange(Drain drain) {
    drain.takeAll(new LongRange(1_000, VALUES), VALUES);
  }

  /** Peer: a source with a state, here a boxed counter. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void generate(Drain drain) {
    drain.take(
        Flux.<Long, Long>generate(
            () -> 1_000L,
            (state, sink) -> {
              sink.next(state);
              return state + 1;
            }),
        VALUES);
  }

  /** Peer: CosId's segments, the next one fetched when one is used up. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void cosIdSegment(Drain drain) {
    generate(segment, drain.outlet());
  }

  /** Peer: CosId's chain of segments, fetched ahead by a thread of its own. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void cosIdChain(Drain drain) {
    generate(chain, drain.outlet());
  }

  /** The same with what values() has to make: an object for each value. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void cosIdChainBoxed(Drain drain) {
    Outlet outlet = drain.outlet();
    for (int i = 0; i < VALUES; i++) {
      outlet.take((Object) chain.generate());
    }
  }

  private static void generate(SegmentId id, Outlet outlet) {
    for (int i = 0; i < VALUES; i++) {
      outlet.take(id.generate());
    }
  }

  /** Peer: a counter, one atomic add and one object a value. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void atomicLong(Drain drain) {
    Outlet outlet = drain.outlet();
    for (int i = 0; i < VALUES; i++) {
      outlet.take((Object) counter.getAndIncrement());
    }
  }
}
