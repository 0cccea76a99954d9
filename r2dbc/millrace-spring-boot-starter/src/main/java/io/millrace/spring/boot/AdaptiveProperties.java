package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Block sizes that adapt to the demand, as far as they are set; null is not set. */
class AdaptiveProperties {

  /** Minimum number of values in a block, from 3 to 2^40. */
  private @Nullable Long min;

  /** Maximum number of values in a reservation, from the minimum to 2^40. */
  private @Nullable Long max;

  /**
   * How long the buffered values may last at the measured rate of consumption, from 1 ms to 365
   * days. Block size and watermark follow that rate. A killed process loses the buffered values. 0
   * means fixed sizes, as does setting a block size or a low watermark.
   */
  private @Nullable Duration target;

  public @Nullable Long getMin() {
    return min;
  }

  public void setMin(@Nullable Long min) {
    this.min = min;
  }

  public @Nullable Long getMax() {
    return max;
  }

  public void setMax(@Nullable Long max) {
    this.max = max;
  }

  public @Nullable Duration getTarget() {
    return target;
  }

  public void setTarget(@Nullable Duration target) {
    this.target = target;
  }

  boolean hasBound() {
    return min != null || max != null;
  }
}
