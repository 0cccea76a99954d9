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
 * The cost of a value where there are many sequences, each asked for one value in a shuffled order;
 * and what the handle of a {@code SequenceGenerators} costs over a generator of one's own. One
 * operation is one value.
 */
@State(Scope.Benchmark)
public class Sequences {

  static final int VALUES = 10_000;

  private static final int BLOCK = 1_000;

  @Param({"1", "1000", "10000"})
  public int sequences = 1;

  private SequenceGenerators home = SequenceGenerators.builder(new FreeStore()).build();
  private final ConcurrentMap<String, AtomicLong> counters = new ConcurrentHashMap<>();
  private String[] names = {};
  private SequenceGenerator[] own = {};
  private SequenceGenerator[] handles = {};

  @Setup
  public void build() {
    home =
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
        handles[i] = home.get(names[i]);
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

  /** Sequences that reserved in step would do nothing else for a while, and then not at all. */
  private static void take(SequenceGenerator generator, int values) {
    for (int i = 0; i <= values; i++) {
      generator.next().subscribe();
    }
  }

  private static void options(SequenceGeneratorBuilder builder) {
    Engines.inline(builder).batchSize(BLOCK).lowWatermark(BLOCK / 2);
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

  /** next() of a handle that is got by its name each time. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void nextByName(Drain drain) {
    for (String name : names) {
      drain.take(home.get(name).next());
    }
  }

  /** Peer: a counter that is looked up by name. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public void counterInMap(Drain drain) {
    for (String name : names) {
      drain.take(Mono.fromSupplier(Objects.requireNonNull(counters.get(name))::getAndIncrement));
    }
  }
}
