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
 * One value a subscription. One operation is one call, one subscription and one value. All threads
 * share the generator or counter.
 */
@State(Scope.Benchmark)
public class Singles {

  /** Values a reservation. */
  @Param("1000")
  public long blockSize = 1_000;

  private SequenceGenerator generator = Engines.prefetching(1_000);
  private final AtomicLong counter = new AtomicLong(1_000);

  @Setup
  public void build() {
    generator = Engines.prefetching(blockSize);
  }

  /** next(), called for each value as programs do. */
  @Benchmark
  public void next(Drain drain) {
    drain.take(generator.next());
  }

  /** Peer: the least a Mono with an atomic counter behind it can cost. */
  @Benchmark
  public void fromSupplier(Drain drain) {
    drain.take(Mono.fromSupplier(counter::getAndIncrement));
  }
}
