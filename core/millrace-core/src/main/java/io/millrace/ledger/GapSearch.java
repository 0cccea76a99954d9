package io.millrace.ledger;

import io.millrace.ledger.SequenceAudit.Gap;
import io.millrace.ledger.SequenceLedger.Entry;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/**
 * Finds the kept values of a ledger that are not in use, in one pass over both, which have the same
 * order. Each step closes at most one gap.
 */
final class GapSearch {

  private static final int PREFETCH = 256;

  /** An entry that begins, a value in use, or the end: the one that is set, or none. */
  private record Step(long position, @Nullable Entry entry, boolean end) {

    /** An entry stands before the values in it. */
    static final Comparator<Step> ORDER =
        Comparator.comparingLong(Step::position)
            .thenComparingInt(step -> step.entry == null ? 1 : 0);
  }

  private @Nullable Entry current;

  /** The first value of {@link #current} that has not been seen in use. */
  private long next;

  private long lastUsed = Long.MIN_VALUE;

  private GapSearch() {}

  static Flux<Gap> of(Flux<Entry> kept, Publisher<Long> used) {
    GapSearch search = new GapSearch();
    return Flux.mergeComparing(
            PREFETCH,
            Step.ORDER,
            kept.map(entry -> new Step(entry.first(), entry, false)),
            Flux.from(used).map(value -> new Step(search.rising(value), null, false)))
        .concatWithValues(new Step(Long.MAX_VALUE, null, true))
        .handle(search::step);
  }

  private long rising(long value) {
    if (value < lastUsed) {
      throw new IllegalArgumentException(
          "the values in use must be in ascending order: " + value + " came after " + lastUsed);
    }
    lastUsed = value;
    return value;
  }

  private void step(Step step, SynchronousSink<Gap> sink) {
    if (step.entry != null || step.end) {
      closeAt(Long.MAX_VALUE, sink);
      begin(step.entry);
    } else {
      closeAt(step.position, sink);
      next = Math.max(next, step.position + 1);
    }
  }

  private void begin(@Nullable Entry entry) {
    long done = current == null ? Long.MIN_VALUE : next;
    current = entry;
    if (entry != null) {
      next = Math.max(entry.first(), done);
    }
  }

  /** Emits what lies between the last value in use and this one, within the current entry. */
  private void closeAt(long value, SynchronousSink<Gap> sink) {
    Entry entry = current;
    if (entry != null) {
      long last = Math.min(entry.lastKept(), value - 1);
      if (last >= next) {
        sink.next(new Gap(next, last, entry));
        next = last + 1;
      }
    }
  }
}
