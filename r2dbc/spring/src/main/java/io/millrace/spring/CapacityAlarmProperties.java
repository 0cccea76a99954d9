package io.millrace.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When to warn that a sequence runs out of values, as far as it is set; null is not set. */
class CapacityAlarmProperties {

  /**
   * Fraction of the values up to max-value below which the alarm is on, from 0 (never) to 1. No
   * alarm if neither max-value nor any of these three properties is set.
   */
  private @Nullable Double share;

  /** Values left below which the alarm is on. 0 means never. */
  private @Nullable Long values;

  /**
   * Time that the values left have to last, at the rate of all processes, or the alarm is on; at
   * most 36,500 days. 0 means never.
   */
  private @Nullable Duration time;

  boolean isSet() {
    return share != null || values != null || time != null;
  }

  public @Nullable Double getShare() {
    return share;
  }

  public void setShare(@Nullable Double share) {
    this.share = share;
  }

  public @Nullable Long getValues() {
    return values;
  }

  public void setValues(@Nullable Long values) {
    this.values = values;
  }

  public @Nullable Duration getTime() {
    return time;
  }

  public void setTime(@Nullable Duration time) {
    this.time = time;
  }
}
