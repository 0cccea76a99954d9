package io.millrace;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values that one reservation obtained: a run of consecutive numbers ({@link #of}) or an
 * explicit list of numbers ({@link #ofValues}).
 *
 * <p>Immutable. The memory footprint of a run does not depend on its size.
 */
public final class SequenceBlock {

  private final long first;
  private final long size;

  /** The values themselves, or null for {@code first, first + 1, …}. */
  private final long @Nullable [] values;

  private SequenceBlock(long first, long size, long @Nullable [] values) {
    this.first = first;
    this.size = size;
    this.values = values;
  }

  /**
   * Returns a run of consecutive values.
   *
   * @param first the smallest value
   * @param size the number of values, 1 or more
   * @return the block {@code first … first + size - 1}
   * @throws IllegalArgumentException if {@code size} is below 1, or the last value would exceed
   *     {@link Long#MAX_VALUE}
   */
  public static SequenceBlock of(long first, long size) {
    if (size < 1) {
      throw new IllegalArgumentException("a block has at least 1 value, was " + size);
    }
    if (Long.compareUnsigned(size - 1, Long.MAX_VALUE - first) > 0) {
      throw new IllegalArgumentException(
          "a block of " + size + " values from " + first + " ends above " + Long.MAX_VALUE);
    }
    return new SequenceBlock(first, size, null);
  }

  /**
   * Returns a block of explicit values, which are issued in this order.
   *
   * @param values the values, at least one; the array is copied
   * @return a block of exactly these values
   * @throws IllegalArgumentException if there is no value
   */
  public static SequenceBlock ofValues(long... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a block has at least 1 value, was 0");
    }
    return new SequenceBlock(values[0], values.length, values.clone());
  }

  /** {@return the value that is issued first, the smallest of a run} */
  public long first() {
    return first;
  }

  /** {@return the value that is issued last, the largest of a run} */
  public long last() {
    return valueAt(size - 1);
  }

  /** {@return the number of values, 1 or more} */
  public long size() {
    return size;
  }

  /** {@return whether the values are consecutive by construction: a block from {@link #of}} */
  public boolean isRun() {
    return values == null;
  }

  /**
   * Returns the value at an index, in the order in which the values are issued.
   *
   * @param index from 0 to {@code size - 1}
   * @throws IndexOutOfBoundsException if the index is outside that range
   */
  public long valueAt(long index) {
    Objects.checkIndex(index, size);
    return values == null ? first + index : values[(int) index];
  }

  /**
   * Returns a part of the block.
   *
   * @param from the index of the part's first value
   * @param to the index after the part's last value
   * @return the values with the indices {@code from … to - 1}
   * @throws IndexOutOfBoundsException unless {@code 0 <= from < to <= size}
   */
  public SequenceBlock slice(long from, long to) {
    Objects.checkIndex(from, to);
    Objects.checkIndex(to - 1, size);
    return values == null
        ? new SequenceBlock(first + from, to - from, null)
        : ofValues(Arrays.copyOfRange(values, (int) from, (int) to));
  }

  /**
   * Returns the values up to a limit: the beginning of a run, or the explicit values that are not
   * above the limit.
   *
   * @param limit the largest value to include
   * @return this block if no value is above the limit; null if all are
   */
  public @Nullable SequenceBlock upTo(long limit) {
    if (values == null) {
      if (first > limit) {
        return null;
      }
      return last() <= limit ? this : slice(0, limit - first + 1);
    }
    long[] small = Arrays.stream(values).filter(value -> value <= limit).toArray();
    if (small.length == values.length) {
      return this;
    }
    return small.length == 0 ? null : ofValues(small);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SequenceBlock that
        && first == that.first
        && size == that.size
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(first, size, Arrays.hashCode(values));
  }

  @Override
  public String toString() {
    return values == null ? "[" + first + ".." + last() + "]" : Arrays.toString(values);
  }
}
