package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import java.time.Duration;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.scheduler.Schedulers;

/**
 * The cost of a value where there are many sequences, each asked for one value in a shuffled order;
 * and what the handle of a {@code SequenceGenerators} costs over a generator of one's own. One
 * operation is one value.
 */
@State(Scope.Benchmark)
public class Sequences {

  static final int VALUES = 10_000;

  @Param({"1", "1000", "10000"})
  public int sequences = 1;

  private SequenceGenerator[] own = {};
  private SequenceGenerator[] handles = {};

  @Setup
  public void build() {
    SequenceGenerators home =
        SequenceGenerators.builder(new FreeStore())
            .defaults(Sequences::options)
            .scheduler(Schedulers.immediate())
            .idleAfter(Duration.ZERO)
            .maxGenerators(sequences)
            .anyName()
            .build();
    FreeStore store = new FreeStore();
    own = new SequenceGenerator[VALUES];
    handles = new SequenceGenerator[VALUES];
    for (int i = 0; i < VALUES; i++) {
      int of = i % sequences;
      if (of == i) {
        own[i] = Engines.prefetching(store, "sequence-" + of, 1_000);
        handles[i] = home.get("sequence-" + of);
      } else {
        own[i] = own[of];
        handles[i] = handles[of];
      }
    }
    shuffle(own);
    shuffle(handles);
  }

  private static void options(SequenceGeneratorBuilder builder) {
    Engines.inline(builder).batchSize(1_000).lowWatermark(500);
  }

  private static void shuffle(SequenceGenerator[] generators) {
    Random random = new Random(1);
    for (int i = generators.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      SequenceGenerator moved = generators[i];
      generators[i] = generators[j];
      generators[j] = moved;
    }
  }

  /** next() of generators of one's own. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void next(Drain drain) {
    for (SequenceGenerator each : own) {
      drain.take(each.next());
    }
  }

  /** next() of the handles of generators by name. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void nextOfHandle(Drain drain) {
    for (SequenceGenerator each : handles) {
      drain.take(each.next());
    }
  }
}
