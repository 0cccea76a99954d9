package io.millrace;

import io.millrace.internal.ShownText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The counter of a sequence at one moment, and what the next reservation obtains from it. This
 * class has the rule for the end of every sequence, for all stores. The counter is one above the
 * last reserved value and has to fit in a {@code long}, so {@link #LARGEST_VALUE} is the last
 * value.
 */
public final class SequenceState {

  /** The largest value of any sequence: {@link Long#MAX_VALUE} - 1. */
  public static final long LARGEST_VALUE = Long.MAX_VALUE - 1;

  private final String sequence;
  private final long nextValue;

  /**
   * Creates a state.
   *
   * @param sequence the name of the sequence
   * @param nextValue the first value that no reservation has obtained yet; any value
   */
  public SequenceState(String sequence, long nextValue) {
    this.sequence = Objects.requireNonNull(sequence, "sequence");
    this.nextValue = nextValue;
  }

  /**
   * Checks the start value of a new sequence. Every store calls this to create one.
   *
   * @param sequence the name of the sequence
   * @param startValue the first value of the sequence
   * @return the state of the new sequence
   * @throws SequenceExhaustedException if {@code startValue} exceeds {@link #LARGEST_VALUE}: the
   *     sequence would have no value
   */
  public static SequenceState starting(String sequence, long startValue) {
    if (startValue > LARGEST_VALUE) {
      throw new SequenceExhaustedException(
          sequence,
          startValue,
          1,
          LARGEST_VALUE,
          "start it with a value of at most " + LARGEST_VALUE,
          null);
    }
    return new SequenceState(sequence, startValue);
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
              + ShownText.quote(sequence)
              + " has at least 1 value, was "
              + size);
    }
    if (nextValue > largestNextValue(size)) {
      throw new SequenceExhaustedException(sequence, nextValue, size, LARGEST_VALUE);
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
    return new SequenceState(sequence, block(size).last() + 1);
  }

  /**
   * Returns the name of the sequence.
   *
   * @return the name given to the store
   */
  public String sequence() {
    return sequence;
  }

  /**
   * Returns the first value that no reservation has obtained yet.
   *
   * @return the counter
   */
  public long nextValue() {
    return nextValue;
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
  public boolean equals(@Nullable Object other) {
    return other instanceof SequenceState that
        && sequence.equals(that.sequence)
        && nextValue == that.nextValue;
  }

  @Override
  public int hashCode() {
    return Objects.hash(sequence, nextValue);
  }

  @Override
  public String toString() {
    return "SequenceState[sequence=" + ShownText.name(sequence) + ", nextValue=" + nextValue + "]";
  }
}
