package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Block sizes that adapt to the demand, as far as they are set; null is not set.
 *
 * @param min Minimum number of values in a block, from 3 to 2^40.
 * @param max Maximum number of values in a reservation, from the minimum to 2^40.
 * @param target How long the buffered values may last at the measured rate of consumption, from 1
 *     ms to 365 days. Block size and watermark follow that rate. A killed process loses the
 *     buffered values. 0 means fixed sizes, as does setting a block size or a low watermark.
 */
record AdaptiveProperties(@Nullable Long min, @Nullable Long max, @Nullable Duration target) {

  boolean hasBound() {
    return min != null || max != null;
  }
}
