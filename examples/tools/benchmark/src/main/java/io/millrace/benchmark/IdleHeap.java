package io.millrace.benchmark;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.openjdk.jol.info.GraphLayout;
import reactor.core.scheduler.Schedulers;

/**
 * Measures the memory of an idle sequence. Its generator has the default sizes, has issued a value
 * and holds the rest of the block. Only the difference that more generators make is counted. So the
 * store, which they share, is not counted; the name and the handle by name are. The scheduler has
 * no threads, because JOL would walk from a thread through the whole JVM. An idle generator keeps
 * nothing that is scheduled.
 */
final class IdleHeap {

  static final String OWN = "a generator of its own";
  static final String BY_NAME = "in SequenceGenerators";

  private static final int SEQUENCES = 200;

  private IdleHeap() {}

  static List<Heap> measure() {
    // Otherwise JOL tries to attach to this JVM, and cannot read records and lambdas.
    System.setProperty("jol.skipDynamicAttach", "true");
    System.setProperty("jol.skipHotspotSAAttach", "true");
    System.setProperty("jol.magicFieldOffset", "true");
    FreeStore store = new FreeStore();
    SequenceGenerators byName =
        SequenceGenerators.builder(store)
            .defaults(Engines::inline)
            .scheduler(Schedulers.immediate())
            .idleAfter(Duration.ZERO)
            .anyName()
            .build();
    return List.of(
        new Heap(OWN, perSequence(i -> own(store, "own-" + i), "")),
        new Heap(BY_NAME, perSequence(i -> byName.get("named-" + i), byName)));
  }

  private static SequenceGenerator own(FreeStore store, String name) {
    return Engines.inline(SequenceGenerator.builder(store, name)).build();
  }

  private static double perSequence(IntFunction<SequenceGenerator> maker, Object byName) {
    Object[] roots = new Object[2 * SEQUENCES + 1];
    roots[0] = byName;
    fill(roots, 0, maker); // objects that are made only once are made now
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
