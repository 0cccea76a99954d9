package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The delays after failed reservations, as far as they are set; null is not set. */
class BackoffProperties {

  /** Delay after the first failure, at least 1 ms. Each further failure in a row doubles it. */
  private @Nullable Duration min;

  /** Maximum delay, from the first delay to 365 days. */
  private @Nullable Duration max;

  /** Fraction by which delays vary randomly, from 0 to 1. */
  private @Nullable Double jitter;

  /** Number of attempts before waiting subscribers receive an error, at least 1. */
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
