package io.millrace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values one reservation obtained: a run of consecutive numbers ({@link #of}), or an explicit
 * list of numbers ({@link #ofValues}) from a store whose values are not consecutive.
 *
 * <p>Immutable. A run takes the same memory whatever its size.
 */
public final class SequenceBlock {

  private final long first;
  private final long size;

  /** The values themselves, or null for the run {@code first … first + size - 1}. */
  private final long @Nullable [] values;

  private SequenceBlock(long first, long size, long @Nullable [] values) {
    this.first = first;
    this.size = size;
    this.values = values;
  }

  /**
   * A run of consecutive values.
   *
   * @param first the smallest value
   * @param size how many values, 1 or more
   * @return the block {@code first … first + size - 1}
   * @throws IllegalArgumentException if {@code size} is below 1, or the last value would exceed
   *     {@link Long#MAX_VALUE}
   */
  public static SequenceBlock of(long first, long size) {
    if (size < 1) {
      throw new IllegalArgumentException("a block has at least 1 value, was " + size);
    }
    if (first > Long.MAX_VALUE - (size - 1)) {
      throw new IllegalArgumentException(
          "a block of " + size + " values from " + first + " ends above " + Long.MAX_VALUE);
    }
    return new SequenceBlock(first, size, null);
  }

  /**
   * Explicit values, to be issued in the order given.
   *
   * @param values the values, at least one; the array is copied
   * @return the block of exactly these values
   * @throws IllegalArgumentException if there is no value
   */
  public static SequenceBlock ofValues(long... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a block has at least 1 value, was 0");
    }
    return new SequenceBlock(values[0], values.length, values.clone());
  }

  /**
   * Returns the value that is issued first.
   *
   * @return the smallest value of a run
   */
  public long first() {
    return first;
  }

  /**
   * Returns the value that is issued last.
   *
   * @return the largest value of a run
   */
  public long last() {
    return valueAt(size - 1);
  }

  /**
   * Returns how many values there are.
   *
   * @return 1 or more
   */
  public long size() {
    return size;
  }

  /**
   * Tells whether the values are consecutive by construction.
   *
   * @return true for a block made by {@link #of}
   */
  public boolean isRun() {
    return values == null;
  }

  /**
   * Returns one of the values.
   *
   * @param index from 0 to {@code size - 1}
   * @return the value that is issued as number {@code index}
   * @throws IndexOutOfBoundsException if the index is outside that range
   */
  public long valueAt(long index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(
          "index " + index + " is outside a block of " + size + " values");
    }
    return values == null ? first + index : values[(int) index];
  }

  /**
   * Returns a part of the block.
   *
   * @param from the index of the part's first value
   * @param to the index behind the part's last value
   * @return the values with the indices {@code from … to - 1}
   * @throws IndexOutOfBoundsException unless {@code 0 <= from < to <= size}
   */
  public SequenceBlock slice(long from, long to) {
    if (from < 0 || from >= to || to > size) {
      throw new IndexOutOfBoundsException(
          "no part from " + from + " to " + to + " in a block of " + size + " values");
    }
    return values == null
        ? new SequenceBlock(first + from, to - from, null)
        : new SequenceBlock(
            values[(int) from], to - from, Arrays.copyOfRange(values, (int) from, (int) to));
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
    return 31 * (31 * Long.hashCode(first) + Long.hashCode(size)) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return values == null ? "[" + first + ".." + last() + "]" : Arrays.toString(values);
  }
}
