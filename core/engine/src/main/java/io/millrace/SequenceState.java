package io.millrace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of a sequence at one moment, and what the next reservation makes of it. The
 * rule that ends every sequence is here, for all stores: the counter stands one behind the last
 * value given and has to stay representable, so that {@link #LARGEST_VALUE} is the last one.
 */
public final class SequenceState {

  /** The largest value that any sequence gives: the largest long but one. */
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
   * Checks where a sequence is to start. Every store creates a sequence with this.
   *
   * @param sequence the name of the sequence
   * @param startValue the first value it is to give
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
   * Computes how far a counter may stand for a reservation, for stores that compare in the
   * database.
   *
   * @param size how many values, 1 or more
   * @return the largest next value from which as many values can be given
   */
  public static long largestNextValue(long size) {
    return LARGEST_VALUE - size + 1;
  }

  /**
   * Computes what a reservation obtains from a counter that stands here.
   *
   * @param size how many values, 1 or more
   * @return the {@code size} values from {@code nextValue} on
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if the last of them would exceed {@link #LARGEST_VALUE}
   */
  public SequenceBlock block(long size) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "a reservation of sequence '" + sequence + "' has at least 1 value, was " + size);
    }
    if (nextValue > largestNextValue(size)) {
      throw new SequenceExhaustedException(sequence, nextValue, size, LARGEST_VALUE);
    }
    return SequenceBlock.of(nextValue, size);
  }

  /**
   * Computes where the counter stands after a reservation.
   *
   * @param size how many values, 1 or more
   * @return the state behind {@link #block block(size)}
   * @throws IllegalArgumentException if {@code size} is below 1
   * @throws SequenceExhaustedException if the last value would exceed {@link #LARGEST_VALUE}
   */
  public SequenceState advance(long size) {
    return new SequenceState(sequence, block(size).last() + 1);
  }

  /**
   * Returns the name of the sequence.
   *
   * @return the name that the store was asked for
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
    return "SequenceState[sequence=" + sequence + ", nextValue=" + nextValue + "]";
  }
}
