package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The cost of a value with many sequences, which issue one value each in a shuffled order. Compares
 * a standalone generator with a handle of {@code SequenceGenerators}. One operation is one value.
 */
@State(Scope.Benchmark)
public class Sequences {

  static final int VALUES = 10_000;

  private static final int BLOCK = 1_000;

  @Param({"1", "1000", "10000"})
  public int sequences = 1;

  private SequenceGenerators byName = SequenceGenerators.builder(new FreeStore()).build();
  private final ConcurrentMap<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private String[] names = {};
  private SequenceGenerator[] own = {};
  private SequenceGenerator[] handles = {};

  @Setup
  public void build() {
    byName =
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
    names = new String[VALUES];
    for (int i = 0; i < VALUES; i++) {
      int of = i % sequences;
      if (of == i) {
        own[i] = Engines.prefetching(store, "sequence-" + of, BLOCK);
        names[i] = "sequence-" + of;
        handles[i] = byName.get(names[i]);
        counters.put(names[i], new AtomicLong((long) i << 32));
      } else {
        names[i] = names[of];
        own[i] = own[of];
        handles[i] = handles[of];
      }
    }
    for (int i = 0; i < sequences; i++) {
      take(own[i], i % BLOCK);
      take(handles[i], i % BLOCK);
    }
    shuffle(own);
    shuffle(handles);
    shuffle(names);
  }

  /**
   * Takes values in advance, a different number from each sequence. Otherwise all sequences would
   * reserve at the same time, and then none for a while.
   */
  private static void take(SequenceGenerator generator, int values) {
    for (int i = 0; i <= values; i++) {
      generator.next().subscribe();
    }
  }

  private static void options(SequenceGeneratorBuilder builder) {
    Engines.inline(builder).blockSize(BLOCK).lowWatermark(BLOCK / 2);
  }

  private static void shuffle(Object[] elements) {
    Random random = new Random(1);
    for (int i = elements.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      Object moved = elements[i];
      elements[i] = elements[j];
      elements[j] = moved;
    }
  }

  /** next() of standalone generators. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void next(ValueTaker taker) {
    for (SequenceGenerator each : own) {
      taker.take(each.next());
    }
  }

  /** next() of the handles of generators by name. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void nextOfHandle(ValueTaker taker) {
    for (SequenceGenerator each : handles) {
      taker.take(each.next());
    }
  }

  /** next() of a handle that is looked up by name each time. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void nextByName(ValueTaker taker) {
    for (String name : names) {
      taker.take(byName.get(name).next());
    }
  }

  /** Peer: a counter that is looked up by name. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void counterInMap(ValueTaker taker) {
    for (String name : names) {
      taker.take(Mono.fromSupplier(Objects.requireNonNull(counters.get(name))::getAndIncrement));
    }
  }
}
