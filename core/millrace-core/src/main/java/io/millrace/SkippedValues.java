package io.millrace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of values that a sequence does not issue, such as those of older rows. At a range, the
 * counter continues behind it. Immutable.
 *
 * @see SequenceGeneratorBuilder#skip(long, long)
 * @see ReservationRequest#skipped
 */
public final class SkippedValues {

  /** No values. */
  public static final SkippedValues NONE = new SkippedValues(List.of());

  private record Range(long first, long last) {}

  /** Rising, with at least one value between two ranges. */
  private final List<Range> ranges;

  private SkippedValues(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Adds a range, which may touch or overlap others.
   *
   * @param first its first value
   * @param last its last value, at least {@code first}
   * @return these values and those of the range, as a new object
   * @throws InvalidOptionException if {@code last} is below {@code first}
   */
  public SkippedValues and(long first, long last) {
    if (last < first) {
      throw new InvalidOptionException(
          "skip last",
          last,
          "skip first",
          "the last value to skip must not be below the first, were " + first + " and " + last);
    }
    List<Range> all = new ArrayList<>(ranges);
    all.add(new Range(first, last));
    return new SkippedValues(List.copyOf(joined(all)));
  }

  /** Joins ranges that touch or overlap. */
  private static List<Range> joined(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(Range::first));
    List<Range> merged = new ArrayList<>();
    for (Range range : sorted) {
      Range before = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (before != null && (range.first <= before.last || range.first == before.last + 1)) {
        merged.set(merged.size() - 1, new Range(before.first, Math.max(before.last, range.last)));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /**
   * Returns the values of a range that are not skipped.
   *
   * @param first the first value of the range, which has at most {@link Long#MAX_VALUE} values
   * @param last its last value, at least {@code first}
   * @return their runs, rising
   */
  public List<SequenceBlock> others(long first, long last) {
    List<SequenceBlock> others = new ArrayList<>();
    long from = first;
    for (Range range : ranges) {
      if (range.last < from || range.first > last) {
        continue;
      }
      if (range.first > from) {
        others.add(SequenceBlock.of(from, range.first - from));
      }
      if (range.last >= last) {
        return others;
      }
      from = range.last + 1;
    }
    others.add(SequenceBlock.of(from, last - from + 1));
    return others;
  }

  /** {@return whether no values are skipped} */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /**
   * Finds the first {@code size} consecutive values that are not skipped. Values before them are
   * lost.
   *
   * @param state the counter
   * @param size the number of values, 1 or more
   * @return the counter, moved to the first of these values; unchanged if no skipped value is in
   *     the way
   * @throws SequenceExhaustedException if there are no such values up to {@link
   *     SequenceState#LARGEST_VALUE}
   */
  public SequenceState before(SequenceState state, long size) {
    SequenceState current = state;
    for (Range range : ranges) {
      if (range.last < current.nextValue()) {
        continue;
      }
      if (range.first > current.nextValue()
          && Long.compareUnsigned(range.first - current.nextValue(), size) >= 0) {
        return current;
      }
      current = after(current, range, size);
    }
    return current;
  }

  private static SequenceState after(SequenceState state, Range range, long size) {
    if (range.last >= SequenceState.LARGEST_VALUE) {
      throw new SequenceExhaustedException(state.name(), state.nextValue(), size, range.first - 1);
    }
    return new SequenceState(state.name(), range.last + 1);
  }

  /**
   * Takes the next values that are not skipped, which need not be consecutive.
   *
   * @param state the counter
   * @param count the number of values, 1 or more
   * @return the values, rising
   * @throws SequenceExhaustedException if fewer are left up to {@link SequenceState#LARGEST_VALUE}
   */
  public List<Long> take(SequenceState state, int count) {
    if (isEmpty()) {
      long first = state.block(count).first();
      return LongStream.range(first, first + count).boxed().toList();
    }
    List<Long> values = new ArrayList<>(count);
    SequenceState next = state;
    for (int i = 0; i < count; i++) {
      SequenceState from = before(next, 1);
      values.add(from.block(1).first());
      next = from.advance(1);
    }
    return values;
  }

  /**
   * Returns the positions of these values in a stripe, whose value at position {@code i} is {@code
   * stripe + stride * i}.
   *
   * @param stripe from 0 to {@code stride - 1}
   * @param stride the distance between the values, 1 or more
   * @return the positions to skip
   */
  public SkippedValues ofStripe(long stripe, long stride) {
    SkippedValues numbers = NONE;
    for (Range range : ranges) {
      long first = Math.floorDiv(range.first, stride);
      long last = Math.floorDiv(range.last, stride);
      first += stripe < Math.floorMod(range.first, stride) ? 1 : 0;
      last -= stripe > Math.floorMod(range.last, stride) ? 1 : 0;
      if (first <= last) {
        numbers = numbers.and(first, last);
      }
    }
    return numbers;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SkippedValues that && ranges.equals(that.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @Override
  public String toString() {
    return "SkippedValues"
        + ranges.stream().map(range -> range.first + " to " + range.last).toList();
  }
}
