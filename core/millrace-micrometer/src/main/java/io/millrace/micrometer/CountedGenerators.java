package io.millrace.micrometer;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import reactor.core.publisher.Operators;

/**
 * The generators that share their meters, and how many values earlier ones issued. Read by any
 * thread; changed under the owner's lock.
 *
 * <p><b>Issued never falls.</b> A generator's own count may fall: values claimed for a subscriber
 * count as issued, and may be given back. So the highest count seen is kept. During a shutdown the
 * generator is not read, because unclaimed values count as issued until they are discarded. It is
 * read once more when the shutdown is complete.
 */
final class CountedGenerators {

  /** Replaced as a whole, so that no issued value is missed or counted twice. */
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

  void add(SequenceGenerator generator) {
    State before = state;
    List<Live> live = new ArrayList<>(before.live);
    live.add(new Live(generator, new AtomicLong()));
    state = new State(before.retired, List.copyOf(live));
  }

  /** Removes a generator. Returns true if it was the last. */
  boolean remove(SequenceGenerator generator) {
    State before = state;
    List<Live> others = before.live.stream().filter(each -> each.generator != generator).toList();
    long issued =
        before.live.stream()
            .filter(each -> each.generator == generator)
            .mapToLong(Live::finallyIssued)
            .sum();
    state = new State(before.retired + issued, others);
    return others.isEmpty();
  }

  int size() {
    return state.live.size();
  }

  /** The sum of a count over all; saturates. */
  long sum(ToLongFunction<SequenceGeneratorSnapshot> figure) {
    long sum = 0;
    for (Live each : state.live) {
      sum = Operators.addCap(sum, figure.applyAsLong(each.generator.snapshot()));
    }
    return sum;
  }

  /** How many values are left, by the generators that know it; NaN if none does. */
  double leastRemaining() {
    return state.live.stream()
        .flatMapToLong(each -> each.generator.snapshot().remaining().stream())
        .asDoubleStream()
        .min()
        .orElse(Double.NaN);
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
