package io.millrace;

import io.millrace.internal.LogSafe;
import java.util.Objects;

/**
 * The counter of a sequence at one moment, and what the next reservation obtains from it. The
 * counter is one above the last reserved value and must fit in a {@code long}, so {@link
 * #LARGEST_VALUE} is the last value of every sequence.
 *
 * @param name the name of the sequence, as passed to the store
 * @param nextValue the first value that is not reserved yet; any value
 */
public record SequenceState(String name, long nextValue) {

  /** The largest value of any sequence: {@link Long#MAX_VALUE} - 1. */
  public static final long LARGEST_VALUE = Long.MAX_VALUE - 1;

  /** Creates a state. */
  public SequenceState {
    Objects.requireNonNull(name, "name");
  }

  /**
   * Returns the state of a new sequence, which every store uses to check the start value.
   *
   * @param startValue the first value of the sequence
   * @throws SequenceExhaustedException if {@code startValue} exceeds {@link #LARGEST_VALUE}, so the
   *     sequence would have no values
   */
  public static SequenceState starting(String name, long startValue) {
    if (startValue > LARGEST_VALUE) {
      throw new SequenceExhaustedException(
          name,
          startValue,
          1,
          LARGEST_VALUE,
          "start it with a value of at most " + LARGEST_VALUE,
          null);
    }
    return new SequenceState(name, startValue);
  }

  /**
   * Returns the largest next value from which {@code size} values can be reserved, for stores that
   * compare in the database.
   *
   * @param size the number of values, 1 or more
   */
  public static long largestNextValue(long size) {
    return LARGEST_VALUE - size + 1;
  }

  /**
   * Returns the block that a reservation obtains from this state.
   *
   * @param size the number of values, 1 or more
   * @return {@code size} values, starting with {@code nextValue}
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if the last of them would exceed {@link #LARGEST_VALUE}
   */
  public SequenceBlock block(long size) {
    if (size > 0 && nextValue > largestNextValue(size)) {
      throw new SequenceExhaustedException(name, nextValue, size, LARGEST_VALUE);
    }
    return SequenceBlock.of(nextValue, size);
  }

  /**
   * Returns the state after a reservation.
   *
   * @param size the number of values, 1 or more
   * @return the state after {@link #block block(size)}
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if the last value would exceed {@link #LARGEST_VALUE}
   */
  public SequenceState advance(long size) {
    return new SequenceState(name, block(size).last() + 1);
  }

  @Override
  public String toString() {
    return "SequenceState[name=" + LogSafe.name(name) + ", nextValue=" + nextValue + "]";
  }
}
