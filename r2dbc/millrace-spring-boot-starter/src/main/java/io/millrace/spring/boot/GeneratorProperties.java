package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** Options of generators, as far as they are set; null is not set. */
class GeneratorProperties {

  /**
   * Values that a reservation obtains, unless subscribers wait for more, from 1 to 2^40. 1 is the
   * ordered mode. Without it, a maximum and a watermark, the sizes adapt.
   */
  private @Nullable Long batchSize;

  /**
   * Values that one reservation may obtain when subscribers wait for more than a batch, from the
   * batch size to 2^40.
   */
  private @Nullable Long maxBatchSize;

  /**
   * Values left in the buffer when the next block is reserved, below the batch size. 0 means no
   * prefetch.
   */
  private @Nullable Long lowWatermark;

  /** Sizes that adapt to the demand, if none of the three above is set. */
  @NestedConfigurationProperty private final AdaptiveProperties adaptive = new AdaptiveProperties();

  /**
   * Subscribers that may wait for a reservation; the next one fails at once. 0 means that no
   * subscriber may wait, and requires a low watermark.
   */
  private @Nullable Integer maxWaiters;

  /**
   * Value above which none is issued: a number, or the column that keeps the values, as INT32,
   * INT64, JAVASCRIPT (2^53 - 1) or NUMERIC(9), with any number of digits.
   */
  private @Nullable String maxValue;

  /**
   * Time a subscriber waits for a value before it fails, at most 365 days. 0 means without limit.
   */
  private @Nullable Duration acquireTimeout;

  /** Time of one attempt to reserve, at most 365 days. 0 means without limit. */
  private @Nullable Duration reservationTimeout;

  /** Whether to create the sequence's row if it does not exist at the first reservation. */
  private @Nullable Boolean create;

  /** Value that a sequence starts with when it is created. */
  private @Nullable Long startValue;

  /** How to retry after a failed reservation. */
  @NestedConfigurationProperty private final BackoffProperties backoff = new BackoffProperties();

  public @Nullable Long getBatchSize() {
    return batchSize;
  }

  public void setBatchSize(@Nullable Long batchSize) {
    this.batchSize = batchSize;
  }

  public @Nullable Long getMaxBatchSize() {
    return maxBatchSize;
  }

  public void setMaxBatchSize(@Nullable Long maxBatchSize) {
    this.maxBatchSize = maxBatchSize;
  }

  public @Nullable Long getLowWatermark() {
    return lowWatermark;
  }

  public void setLowWatermark(@Nullable Long lowWatermark) {
    this.lowWatermark = lowWatermark;
  }

  public AdaptiveProperties getAdaptive() {
    return adaptive;
  }

  /** Whether the sizes are adaptive. */
  boolean hasTarget() {
    Duration target = adaptive.getTarget();
    return target != null && !target.isZero();
  }

  /** Whether any fixed size is set. */
  boolean hasFixedSizes() {
    return batchSize != null || maxBatchSize != null || lowWatermark != null;
  }

  public @Nullable Integer getMaxWaiters() {
    return maxWaiters;
  }

  public void setMaxWaiters(@Nullable Integer maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  public @Nullable String getMaxValue() {
    return maxValue;
  }

  public void setMaxValue(@Nullable String maxValue) {
    this.maxValue = maxValue;
  }

  public @Nullable Duration getAcquireTimeout() {
    return acquireTimeout;
  }

  public void setAcquireTimeout(@Nullable Duration acquireTimeout) {
    this.acquireTimeout = acquireTimeout;
  }

  public @Nullable Duration getReservationTimeout() {
    return reservationTimeout;
  }

  public void setReservationTimeout(@Nullable Duration reservationTimeout) {
    this.reservationTimeout = reservationTimeout;
  }

  public @Nullable Boolean getCreate() {
    return create;
  }

  public void setCreate(@Nullable Boolean create) {
    this.create = create;
  }

  public @Nullable Long getStartValue() {
    return startValue;
  }

  public void setStartValue(@Nullable Long startValue) {
    this.startValue = startValue;
  }

  public BackoffProperties getBackoff() {
    return backoff;
  }
}
