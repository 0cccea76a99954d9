package io.millrace.benchmark;

import io.millrace.SequenceGenerators;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.scheduler.Schedulers;

/**
 * The cost of a value of a sequence without a generator, when the number of generators is at its
 * limit. The least recently used generator is evicted, and a new one is created. One operation is
 * one value.
 */
@State(Scope.Benchmark)
public class Evictions {

  static final int VALUES = 1_000;

  /** The number of generators. */
  @Param({"100", "100000"})
  public int generators = 100;

  private SequenceGenerators byName = byName(1);
  private String[] names = {};
  private int next;

  @Setup
  public void fill() {
    byName = byName(generators);
    names = new String[2 * generators];
    for (int i = 0; i < names.length; i++) {
      names[i] = "sequence-" + i;
    }
    for (int i = 0; i < generators; i++) {
      byName.get(name()).next().subscribe();
    }
    if (byName.snapshots().size() != generators) {
      throw new IllegalStateException(byName.snapshots().size() + " generators were made");
    }
  }

  private static SequenceGenerators byName(int generators) {
    return SequenceGenerators.builder(new FreeStore())
        .defaults(options -> Engines.inline(options).blockSize(10))
        .scheduler(Schedulers.immediate())
        .idleAfter(Duration.ZERO)
        .maxGenerators(generators)
        .anyName()
        .build();
  }

  /** The next name, whose generator was evicted since its last use, or never existed. */
  private String name() {
    String name = names[next];
    next = (next + 1) % names.length;
    return name;
  }

  /** next() of a handle by name. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void next(ValueTaker taker) {
    for (int i = 0; i < VALUES; i++) {
      taker.take(byName.get(name()).next());
    }
  }
}
