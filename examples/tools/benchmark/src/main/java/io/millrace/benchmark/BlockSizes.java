package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a value by block size, including the reservations. Size 1 is the ordered mode, in
 * which a reservation is as large as the demand. One operation is one value.
 */
@State(Scope.Benchmark)
public class BlockSizes {

  static final int VALUES = 10_000;

  @Param({"1", "100", "1000", "100000"})
  public long blockSize = 1_000;

  private SequenceGenerator inline = Engines.prefetching(1_000);
  private SequenceGenerator scheduled = Engines.scheduled(1_000);

  @Setup
  public void build() {
    inline = Engines.prefetching(blockSize);
    scheduled = Engines.scheduled(blockSize);
  }

  @TearDown
  public void dispose() {
    inline.dispose();
    scheduled.dispose();
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void values(ValueTaker taker) {
    taker.take(inline.values(), VALUES);
  }

  @Benchmark
  public void next(ValueTaker taker) {
    taker.take(inline.next());
  }

  /** Reservations on the parallel scheduler. Larger blocks save thread changes. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void valuesScheduled(ValueTaker taker) {
    taker.take(scheduled.values(), VALUES);
  }
}
