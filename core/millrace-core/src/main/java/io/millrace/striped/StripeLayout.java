package io.millrace.striped;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import org.jspecify.annotations.Nullable;

/**
 * Which values belong to which stripe: the counter of stripe {@code r} counts indices, and index
 * {@code i} is the value {@code r + stride * i}. So a value determines its stripe and its index,
 * and two stripes never share a value, with any number of stripes in use.
 *
 * @param stride the distance between the values of one stripe, 1 or more
 * @param startValue the smallest value of all
 * @param maxValue the largest value that may be issued; a stripe is exhausted after it
 */
record StripeLayout(long stride, long startValue, long maxValue) {

  long stripeOf(long value) {
    return Math.floorMod(value, stride);
  }

  long indexOf(long value) {
    return Math.floorDiv(value, stride);
  }

  /** The index of a stripe's first value at or above the start value. */
  long firstIndex(int stripe) {
    long index = indexOf(startValue);
    return stripe < stripeOf(startValue) ? index + 1 : index;
  }

  /** The index of a stripe's last value at or below {@code maxValue}. */
  long lastIndex(int stripe) {
    return lastIndex(stripe, maxValue);
  }

  private long lastIndex(int stripe, long limit) {
    long index = indexOf(limit);
    return stripe > stripeOf(limit) ? index - 1 : index;
  }

  /** The value at an index, or {@link Long#MAX_VALUE} if it is above {@code maxValue}. */
  long valueAt(int stripe, long index) {
    return index > lastIndex(stripe) ? Long.MAX_VALUE : computed(stripe, index);
  }

  private long computed(int stripe, long index) {
    // The product may overflow, but the sum is a value in the range again.
    return stride * index + stripe;
  }

  /**
   * The values at indices that a stripe's counter gave. Some may be above {@code maxValue}. Null if
   * all are above it, or if one is above {@link SequenceState#LARGEST_VALUE}.
   */
  @Nullable SequenceBlock values(int stripe, SequenceBlock indices) {
    if (indices.upTo(lastIndex(stripe)) == null
        || indices.upTo(lastIndex(stripe, SequenceState.LARGEST_VALUE)) != indices) {
      return null;
    }
    if (indices.size() == 1 || indices.step() == 0) {
      long[] values = new long[(int) indices.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = computed(stripe, indices.valueAt(i));
      }
      return values.length == 1 ? SequenceBlock.of(values[0], 1) : SequenceBlock.ofValues(values);
    }
    return SequenceBlock.strided(
        computed(stripe, indices.first()),
        indices.size(),
        Math.multiplyExact(stride, indices.step()));
  }

  /**
   * Whether a block can be a block that {@link #values} made of consecutive indices, or the end of
   * one.
   */
  boolean isOfOneStripe(SequenceBlock values) {
    return values.step() > 0 && (values.size() == 1 || values.step() == stride);
  }

  /** The indices of values that are {@linkplain #isOfOneStripe of one stripe}. */
  SequenceBlock indices(SequenceBlock values) {
    return SequenceBlock.of(indexOf(values.first()), values.size());
  }
}
