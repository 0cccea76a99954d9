package io.millrace.spanner;

import io.millrace.SequenceState;
import io.millrace.key.BitReversal;
import io.millrace.spanner.ddl.BitReversedCounter;
import java.util.OptionalLong;

/**
 * The state of one of Spanner's own sequences at one moment.
 *
 * @param name the name of the sequence
 * @param counter how it counts: where it started, and which values it skips
 * @param position where its counter stands, before the reversal, as {@code
 *     GET_INTERNAL_SEQUENCE_STATE} returns it; empty before its first value was taken. The emulator
 *     returns the next counter. A real server may return a higher one, so use it only as a bound
 */
record NativeSequenceState(String name, BitReversedCounter counter, OptionalLong position) {

  /** Where the counter stands, or where it will start: 1 or more, before the reversal. */
  long counterValue() {
    return position.orElse(counter.start());
  }

  /** The counter that a value was made of: with 2738188573441261568, it is 50. */
  static long counterOf(long value) {
    return BitReversal.PRESERVING_SIGN.applyAsLong(value);
  }

  /** The state as every store gives it. */
  SequenceState toSequenceState() {
    return new SequenceState(name, BitReversal.PRESERVING_SIGN.applyAsLong(counterValue()));
  }
}
