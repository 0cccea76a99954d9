package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.openjdk.jol.info.GraphLayout;
import reactor.core.scheduler.Schedulers;

/**
 * Measures what an idle sequence keeps in memory: one that has given a value, and has the rest of a
 * block, with the sizes that a generator has by default. What generators share (the store) is left
 * out, since only the difference that more of them make is counted; the name is counted, as is the
 * handle by name. No scheduler has threads, from which JOL would walk through the whole JVM; of
 * what it schedules an idle generator keeps nothing.
 */
final class IdleHeap {

  static final String OWN = "a generator of its own";
  static final String BY_NAME = "in SequenceGenerators";

  private static final int SEQUENCES = 200;

  private IdleHeap() {}

  static List<Heap> measure() {
    // Else it tries to attach to this JVM, and cannot look into records and lambdas.
    System.setProperty("jol.skipDynamicAttach", "true");
    System.setProperty("jol.skipHotspotSAAttach", "true");
    System.setProperty("jol.magicFieldOffset", "true");
    FreeStore store = new FreeStore();
    SequenceGenerators home =
        SequenceGenerators.builder(store)
            .defaults(Engines::inline)
            .scheduler(Schedulers.immediate())
            .idleAfter(Duration.ZERO)
            .anyName()
            .build();
    return List.of(
        new Heap(OWN, perSequence(i -> own(store, "own-" + i), "")),
        new Heap(BY_NAME, perSequence(i -> home.get("named-" + i), home)));
  }

  private static SequenceGenerator own(FreeStore store, String name) {
    return Engines.inline(SequenceGenerator.builder(store, name)).build();
  }

  private static double perSequence(IntFunction<SequenceGenerator> maker, Object home) {
    Object[] roots = new Object[2 * SEQUENCES + 1];
    roots[0] = home;
    fill(roots, 0, maker); // whatever is made once is made now
    long before = GraphLayout.parseInstance((Object) roots).totalSize();
    fill(roots, SEQUENCES, maker);
    long after = GraphLayout.parseInstance((Object) roots).totalSize();
    return (double) (after - before) / SEQUENCES;
  }

  private static void fill(Object[] roots, int from, IntFunction<SequenceGenerator> maker) {
    for (int i = from; i < from + SEQUENCES; i++) {
      SequenceGenerator generator = maker.apply(i);
      generator.next().subscribe();
      if (generator.snapshot().issued() != 1) {
        throw new IllegalStateException(generator + " is not idle with a block");
      }
      roots[i + 1] = generator;
    }
  }
}
