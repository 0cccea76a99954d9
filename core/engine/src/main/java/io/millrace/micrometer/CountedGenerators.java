package io.millrace.micrometer;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import reactor.core.publisher.Operators;

/**
 * The generators that share their meters, and what those before them issued. Read by any thread;
 * changed under the lock of its owner.
 *
 * <p><b>Issued never falls.</b> A generator's own figure may: values claimed for a subscriber
 * count, and may be given back. So the highest figure seen stands. It is not looked at any more
 * once a shutdown has begun, when values that nobody claimed pass for issued until they are
 * discarded; the last look is when the shutdown is complete.
 */
final class CountedGenerators {

  /** Swapped as one, so that what a generator issued is neither missed nor counted twice. */
  private volatile State state = new State(0, List.of());

  private final AtomicLong highest = new AtomicLong();

  private record State(long retired, List<Live> live) {}

  private record Live(SequenceGenerator generator, AtomicLong seen) {

    long issued() {
      SequenceGeneratorSnapshot snapshot = generator.snapshot();
      return snapshot.disposed() ? seen.get() : raise(seen, snapshot.issued());
    }

    long finallyIssued() {
      return raise(seen, generator.snapshot().issued());
    }
  }

  private static long raise(AtomicLong mark, long value) {
    return mark.accumulateAndGet(value, Math::max);
  }

  /** True if it is the first. */
  boolean add(SequenceGenerator generator) {
    State before = state;
    List<Live> live = new ArrayList<>(before.live);
    live.add(new Live(generator, new AtomicLong()));
    state = new State(before.retired, List.copyOf(live));
    return before.live.isEmpty();
  }

  /** True if it was the last. */
  boolean remove(SequenceGenerator generator) {
    State before = state;
    for (Live each : before.live) {
      if (each.generator == generator) {
        List<Live> others = new ArrayList<>(before.live);
        others.remove(each);
        state = new State(before.retired + each.finallyIssued(), List.copyOf(others));
        return others.isEmpty();
      }
    }
    return false;
  }

  int size() {
    return state.live.size();
  }

  /** The sum of a figure over all; saturates. */
  long sum(ToLongFunction<SequenceGeneratorSnapshot> figure) {
    long sum = 0;
    for (Live each : state.live) {
      sum = Operators.addCap(sum, figure.applyAsLong(each.generator.snapshot()));
    }
    return sum;
  }

  long issued() {
    State now = state;
    long sum = now.retired;
    for (Live each : now.live) {
      sum += each.issued();
    }
    return raise(highest, sum);
  }
}
