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
 * The cost of a value of a sequence that has no generator, where there are as many generators as
 * there may be: the least recently used one is found and evicted, and another is made. One
 * operation is one value.
 */
@State(Scope.Benchmark)
public class Evictions {

  static final int VALUES = 1_000;

  /** How many generators there are. */
  @Param({"100", "100000"})
  public int generators = 100;

  private SequenceGenerators home = home(1);
  private String[] names = {};
  private int next;

  @Setup
  public void fill() {
    home = home(generators);
    names = new String[2 * generators];
    for (int i = 0; i < names.length; i++) {
      names[i] = "sequence-" + i;
    }
    for (int i = 0; i < generators; i++) {
      home.get(name()).next().subscribe();
    }
    if (home.snapshots().size() != generators) {
      throw new IllegalStateException(home.snapshots().size() + " generators were made");
    }
  }

  private static SequenceGenerators home(int generators) {
    return SequenceGenerators.builder(new FreeStore())
        .defaults(options -> Engines.inline(options).batchSize(10))
        .scheduler(Schedulers.immediate())
        .idleAfter(Duration.ZERO)
        .maxGenerators(generators)
        .anyName()
        .build();
  }

  /** One whose generator was evicted since it was used, if it ever had one. */
  private String name() {
    String name = names[next];
    next = (next + 1) % names.length;
    return name;
  }

  /** next() of a handle by name. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void next(Drain drain) {
    for (int i = 0; i < VALUES; i++) {
      drain.take(home.get(name()).next());
    }
  }
}
