package io.millrace.spanner;

import io.millrace.SequenceState;
import io.millrace.key.BitReversal;
import io.millrace.spanner.ddl.BitReversedCounter;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What Spanner knows of one of its own sequences at one moment.
 *
 * @param sequence the name of the sequence
 * @param counter how it counts: where it started, and which values it skips
 * @param position where its counter stands, before the reversal, as {@code
 *     GET_INTERNAL_SEQUENCE_STATE} tells; empty before its first value was taken. The emulator
 *     tells the next counter; on a real server it may be ahead of that, so take it for a bound
 */
public record NativeSequenceState(
    String sequence, BitReversedCounter counter, OptionalLong position) {

  /**
   * Checks that everything is there.
   *
   * @param sequence the name of the sequence
   * @param counter how it counts
   * @param position where its counter stands
   */
  public NativeSequenceState {
    Objects.requireNonNull(sequence, "sequence");
    Objects.requireNonNull(counter, "counter");
    Objects.requireNonNull(position, "position");
  }

  /**
   * Returns where the counter stands, or where it will start.
   *
   * @return a number of 1 or more, before the reversal
   */
  public long counterValue() {
    return position.orElse(counter.start());
  }

  /**
   * Tells which count a value of the sequence has, the inverse of what Spanner does.
   *
   * @param value a value that the sequence gave
   * @return the counter it was made of: with 2738188573441261568, it is 50
   */
  public static long counterOf(long value) {
    return BitReversal.PRESERVING_SIGN.applyAsLong(value);
  }

  /**
   * The state as every store gives it. Its next value is the reversal of where the counter stands,
   * also where that is a value to be skipped.
   *
   * @return the state, less what is particular to Spanner's sequences
   */
  public SequenceState toSequenceState() {
    return new SequenceState(sequence, BitReversal.PRESERVING_SIGN.applyAsLong(counterValue()));
  }
}
