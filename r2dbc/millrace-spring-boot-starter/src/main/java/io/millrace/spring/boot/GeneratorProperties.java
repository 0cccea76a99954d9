package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** Options of generators, as far as they are set; null is not set. */
class GeneratorProperties {

  /**
   * Number of values in a reservation unless subscribers wait for more, from 1 to 2^40. 1 is the
   * ordered mode. If neither this, a maximum block size nor a low watermark is set, the sizes are
   * adaptive.
   */
  private @Nullable Long blockSize;

  /**
   * Maximum number of values in a reservation when subscribers wait for more than the block size,
   * from the block size to 2^40.
   */
  private @Nullable Long maxBlockSize;

  /**
   * Number of values left in the buffer when the next block is reserved, less than the block size.
   * 0 means no prefetch.
   */
  private @Nullable Long lowWatermark;

  /** Sizes that adapt to the demand, if none of the three above is set. */
  @NestedConfigurationProperty
  private AdaptiveProperties adaptive = new AdaptiveProperties(null, null, null);

  /**
   * Maximum number of subscribers that wait for a reservation; the next one fails immediately. 0
   * means that no subscriber may wait, and requires a low watermark.
   */
  private @Nullable Integer maxWaiters;

  /** Maximum value to issue, such as 2147483647 if a column of type INT stores the values. */
  private @Nullable Long maxValue;

  /** Maximum time that a subscriber waits for a value, at most 365 days. 0 means no limit. */
  private @Nullable Duration acquireTimeout;

  /** Maximum time of one attempt to reserve, at most 365 days. 0 means no limit. */
  private @Nullable Duration reservationTimeout;

  /** Whether the first reservation creates the sequence's row if it does not exist. */
  private @Nullable Boolean create;

  /** Initial value of a sequence when it is created. */
  private @Nullable Long startValue;

  /** How to retry after a failed reservation. */
  @NestedConfigurationProperty
  private BackoffProperties backoff = new BackoffProperties(null, null, null, null);

  public @Nullable Long getBlockSize() {
    return blockSize;
  }

  public void setBlockSize(@Nullable Long blockSize) {
    this.blockSize = blockSize;
  }

  public @Nullable Long getMaxBlockSize() {
    return maxBlockSize;
  }

  public void setMaxBlockSize(@Nullable Long maxBlockSize) {
    this.maxBlockSize = maxBlockSize;
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

  public void setAdaptive(AdaptiveProperties adaptive) {
    this.adaptive = adaptive;
  }

  /** Whether the sizes are adaptive. */
  boolean hasTarget() {
    return adaptive.target() != null && !adaptive.target().isZero();
  }

  /** Whether any fixed size is set. */
  boolean hasFixedSizes() {
    return blockSize != null || maxBlockSize != null || lowWatermark != null;
  }

  public @Nullable Integer getMaxWaiters() {
    return maxWaiters;
  }

  public void setMaxWaiters(@Nullable Integer maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  public @Nullable Long getMaxValue() {
    return maxValue;
  }

  public void setMaxValue(@Nullable Long maxValue) {
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

  public void setBackoff(BackoffProperties backoff) {
    this.backoff = backoff;
  }
}
