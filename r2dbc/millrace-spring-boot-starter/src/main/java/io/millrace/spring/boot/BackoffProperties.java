package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The delays after failed reservations, as far as they are set; null is not set. */
class BackoffProperties {

  /** The first delay, from 1 ms; doubled with each failure in a row. */
  private @Nullable Duration min;

  /** The longest delay, from the first one to 365 days. */
  private @Nullable Duration max;

  /** Fraction by which a delay varies at random, from 0 to 1. */
  private @Nullable Double jitter;

  /** Attempts before waiting subscribers receive an error, 1 or more. */
  private @Nullable Integer attempts;

  public @Nullable Duration getMin() {
    return min;
  }

  public void setMin(@Nullable Duration min) {
    this.min = min;
  }

  public @Nullable Duration getMax() {
    return max;
  }

  public void setMax(@Nullable Duration max) {
    this.max = max;
  }

  public @Nullable Double getJitter() {
    return jitter;
  }

  public void setJitter(@Nullable Double jitter) {
    this.jitter = jitter;
  }

  public @Nullable Integer getAttempts() {
    return attempts;
  }

  public void setAttempts(@Nullable Integer attempts) {
    this.attempts = attempts;
  }
}
