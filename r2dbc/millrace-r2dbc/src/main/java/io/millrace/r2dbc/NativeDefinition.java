package io.millrace.r2dbc;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStoreException;

/**
 * The definition of a sequence of the database, and which values belong to one that {@code nextval}
 * returns.
 *
 * @param increment what {@code nextval} adds
 * @param minimum the smallest value of the sequence
 * @param maximum the largest value of the sequence
 * @param start the value with which the sequence was created
 * @param cycles whether the sequence starts again when it has come to its end
 */
record NativeDefinition(long increment, long minimum, long maximum, long start, boolean cycles) {

  /** Returns the definition, or throws if values could be issued twice with it. */
  NativeDefinition checked(String sequence) {
    if (increment < 1) {
      throw refused(sequence, "INCREMENT BY " + increment + ", which must be at least 1");
    }
    if (cycles) {
      throw refused(sequence, "CYCLE, and would issue its values again: set NO CYCLE");
    }
    return this;
  }

  private static SequenceStoreException refused(String sequence, String reason) {
    return new SequenceStoreException(sequence, "cannot use it: it has " + reason, null);
  }

  /**
   * Returns the values that belong to a value that {@code nextval} returned. Blocks of different
   * values share none, because those are {@code increment} apart or more.
   *
   * <p>The value ends its block, and the start value of the sequence is a block of one value, as
   * for Hibernate's {@code PooledOptimizer}; or it begins its block, as for {@code
   * PooledLoOptimizer}.
   *
   * @param value what {@code nextval} returned
   * @param size how many values, at most {@code increment}
   * @param begins whether the value begins its block
   */
  SequenceBlock block(long value, long size, boolean begins) {
    if (begins) {
      return SequenceBlock.of(value, atMost(size, maximum - value));
    }
    long before = value == start ? 0 : atMost(size, value - minimum) - 1;
    return SequenceBlock.of(value - before, before + 1);
  }

  /**
   * The value that {@code nextval} returns after another; {@link Long#MAX_VALUE} if none is left.
   */
  long after(long value) {
    return Long.compareUnsigned(maximum - value, increment) < 0
        ? Long.MAX_VALUE
        : value + increment;
  }

  /** The size of a block that has room for {@code steps} further values; unsigned. */
  private static long atMost(long size, long steps) {
    return Long.compareUnsigned(steps, size - 1) < 0 ? steps + 1 : size;
  }
}
