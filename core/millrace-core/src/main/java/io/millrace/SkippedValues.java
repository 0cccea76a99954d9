package io.millrace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of values that a sequence does not give, such as those of older rows. A counter that comes
 * to a range continues behind it. Immutable.
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
   * @return these values and those of the range
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
   * Returns the values of a range of at most {@link Long#MAX_VALUE} values that are not skipped.
   *
   * @param first the first value of the range
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

  /**
   * Tells whether there are no ranges.
   *
   * @return true if nothing is skipped
   */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /**
   * Finds where a block of consecutive values begins. Values below it that are not skipped are lost
   * if fewer than {@code size} of them follow each other.
   *
   * @param state the counter
   * @param size how many values, 1 or more
   * @return the counter moved to the first value from which {@code size} values follow each other
   *     without a skipped one; the same if there are none in its way
   * @throws SequenceExhaustedException if there is no such value up to {@link
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
      throw new SequenceExhaustedException(
          state.sequence(), state.nextValue(), size, range.first - 1);
    }
    return new SequenceState(state.sequence(), range.last + 1);
  }

  /**
   * Takes values one after another, so that none but skipped ones are left out.
   *
   * @param state the counter
   * @param count how many values, 1 or more
   * @return the values, rising
   * @throws SequenceExhaustedException if there are fewer up to {@link SequenceState#LARGEST_VALUE}
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
   * Computes which numbers of a counter stand for these values, if each number {@code i} stands for
   * the value {@code stripe + stride * i}.
   *
   * @param stripe from 0 to {@code stride - 1}
   * @param stride the distance of the values, 1 or more
   * @return the numbers of the skipped values
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
