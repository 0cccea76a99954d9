package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Mono;

/**
 * One value for each subscription. One operation is one call, one subscription and one value. All
 * threads share the generator or counter.
 */
@State(Scope.Benchmark)
public class Singles {

  /** The number of values in a reservation. */
  @Param("1000")
  public long blockSize = 1_000;

  private SequenceGenerator generator = Engines.prefetching(1_000);
  private final AtomicLong counter = new AtomicLong(1_000);

  @Setup
  public void build() {
    generator = Engines.prefetching(blockSize);
  }

  /** next(), called for each value as in programs. */
  @Benchmark
  public void next(ValueTaker taker) {
    taker.take(generator.next());
  }

  /** Peer: the lowest possible cost of a Mono over an atomic counter. */
  @Benchmark
  public void fromSupplier(ValueTaker taker) {
    taker.take(Mono.fromSupplier(counter::getAndIncrement));
  }
}
