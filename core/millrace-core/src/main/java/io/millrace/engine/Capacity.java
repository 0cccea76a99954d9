package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceState;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How many values a sequence has left, from the blocks that the store returned. Changed by the
 * drain loop only, once for each reservation; read by any thread.
 *
 * <p>It is unknown before the first block, and for a store that is not ordered or returns explicit
 * values: then the largest value says nothing about the next ones.
 */
final class Capacity {

  /** The last value of the latest block, and the distance of its values. */
  private record Mark(long last, long step) {}

  private final boolean ordered;

  /** The largest value that the sequence can have. */
  private final long end;

  /** How many values the range has; 0 if it has none. */
  private final double total;

  /** Null while it is not known what is left. Written by the drain loop. */
  private volatile @Nullable Mark latest;

  Capacity(GeneratorConfig config) {
    this.ordered = config.store().isOrdered();
    this.end = Math.min(config.maxValue().value(), SequenceState.LARGEST_VALUE);
    this.total = config.firstValue() <= end ? (double) end - (double) config.firstValue() + 1 : 0;
  }

  /** A block was obtained, of which these values are used. */
  void reserved(SequenceBlock usable) {
    if (ordered) {
      Mark before = latest;
      long known = before == null ? 1 : before.step;
      long step = usable.size() > 1 ? usable.step() : known;
      latest = usable.step() == 0 ? null : new Mark(usable.last(), step);
    }
  }

  /** The sequence has no block left. */
  void exhausted(SequenceExhaustedException failure) {
    Mark before = latest;
    long next = failure.nextValue();
    if (ordered && next != Long.MIN_VALUE && (before == null || next - 1 > before.last)) {
      latest = new Mark(Math.min(next - 1, end), before == null ? 1 : before.step);
    }
  }

  OptionalLong remaining() {
    Mark mark = latest;
    return mark == null ? OptionalLong.empty() : OptionalLong.of(above(mark.last) / mark.step);
  }

  /** The part of all values that is left, from 0 to 1. */
  OptionalDouble remainingShare() {
    Mark mark = latest;
    return mark == null || total == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(1, above(mark.last) / total));
  }

  /** The numbers above a value; {@link Long#MAX_VALUE} if there are more. */
  private long above(long last) {
    long difference = end - last;
    return last < 0 && end >= 0 && difference < 0 ? Long.MAX_VALUE : Math.max(0, difference);
  }
}
