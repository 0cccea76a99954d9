package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Block sizes that adapt to the demand, as far as they are set; null is not set. */
class AdaptiveProperties {

  /** Values of the smallest block, from 3 to 2^40. */
  private @Nullable Long min;

  /** Values of the largest reservation, from the smallest block to 2^40. */
  private @Nullable Long max;

  /**
   * How long the buffered values may last at the measured rate, from 1 ms to 365 days; block size
   * and watermark then follow that rate. A killed process loses them. 0 means that both are fixed,
   * as does a batch size or a low watermark.
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
