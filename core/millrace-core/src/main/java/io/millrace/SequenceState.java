package io.millrace;

import io.millrace.internal.ShownText;
import java.util.Objects;

/**
 * The counter of a sequence at one moment, and what the next reservation obtains from it. This
 * class has the rule for the end of every sequence, for all stores. The counter is one above the
 * last reserved value and has to fit in a {@code long}, so {@link #LARGEST_VALUE} is the last
 * value.
 *
 * @param name the name of the sequence, as given to the store
 * @param nextValue the first value that no reservation has obtained yet; any value
 */
public record SequenceState(String name, long nextValue) {

  /** The largest value of any sequence: {@link Long#MAX_VALUE} - 1. */
  public static final long LARGEST_VALUE = Long.MAX_VALUE - 1;

  /**
   * Creates a state.
   *
   * @param name the name of the sequence
   * @param nextValue the next value
   */
  public SequenceState {
    Objects.requireNonNull(name, "name");
  }

  /**
   * Checks the start value of a new sequence. Every store calls this to create one.
   *
   * @param name the name of the sequence
   * @param startValue the first value of the sequence
   * @return the state of the new sequence
   * @throws SequenceExhaustedException if {@code startValue} exceeds {@link #LARGEST_VALUE}: the
   *     sequence would have no value
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
   * Computes the largest counter that still allows a reservation, for stores that compare in the
   * database.
   *
   * @param size how many values, 1 or more
   * @return the largest next value from which {@code size} values can be reserved
   */
  public static long largestNextValue(long size) {
    return LARGEST_VALUE - size + 1;
  }

  /**
   * Computes the block that a reservation obtains from this state.
   *
   * @param size how many values, 1 or more
   * @return the {@code size} values from {@code nextValue} on
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if the last of them would exceed {@link #LARGEST_VALUE}
   */
  public SequenceBlock block(long size) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "a reservation of sequence "
              + ShownText.quote(name)
              + " has at least 1 value, was "
              + size);
    }
    if (nextValue > largestNextValue(size)) {
      throw new SequenceExhaustedException(name, nextValue, size, LARGEST_VALUE);
    }
    return SequenceBlock.of(nextValue, size);
  }

  /**
   * Computes the state after a reservation.
   *
   * @param size how many values, 1 or more
   * @return the state after {@link #block block(size)}
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if the last value would exceed {@link #LARGEST_VALUE}
   */
  public SequenceState advance(long size) {
    return new SequenceState(name, block(size).last() + 1);
  }

  /**
   * Tells whether no value is left: the counter is {@link Long#MAX_VALUE}.
   *
   * @return true if every reservation fails
   */
  public boolean isExhausted() {
    return nextValue > LARGEST_VALUE;
  }

  @Override
  public String toString() {
    return "SequenceState[name=" + ShownText.name(name) + ", nextValue=" + nextValue + "]";
  }
}
