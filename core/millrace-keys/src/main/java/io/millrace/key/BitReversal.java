package io.millrace.key;

import java.util.function.LongUnaryOperator;

/**
 * Reverses the bits of a number, which spreads consecutive numbers over the key space. Each
 * function is its own inverse, so different numbers stay different.
 *
 * <p>{@code generator.map(BitReversal.PRESERVING_SIGN)} emits values like those of Spanner's {@code
 * bit_reversed_positive} sequences.
 *
 * <p>The functions are Spanner's {@code BIT_REVERSE(value, preserve_sign)} of GoogleSQL and {@code
 * spanner.bit_reverse(value, preserve_sign)} of PostgreSQL.
 */
public enum BitReversal implements LongUnaryOperator, KeyCodec<Long, Long> {

  /** Reverses the 63 bits below the sign bit: {@code BIT_REVERSE(value, true)}. */
  PRESERVING_SIGN {
    @Override
    public long applyAsLong(long value) {
      return (Long.reverse(value & Long.MAX_VALUE) >>> 1) | (value & Long.MIN_VALUE);
    }
  },

  /** Reverses all 64 bits, so odd numbers become negative: {@code BIT_REVERSE(value, false)}. */
  ALL_BITS {
    @Override
    public long applyAsLong(long value) {
      return Long.reverse(value);
    }
  };

  @Override
  public Long apply(Long value) {
    return applyAsLong(NullKeys.refuse(value));
  }

  @Override
  public Long decode(Long value) {
    return apply(value);
  }
}
