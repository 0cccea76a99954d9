package io.millrace.engine;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The block sizes of a generator, checked. Without a target they are fixed: each reservation
 * obtains {@code batchSize} values, or the unmet demand if that is larger, up to {@code
 * maxBatchSize}.
 *
 * @param batchSize the smallest reservation
 * @param maxBatchSize the largest reservation
 * @param lowWatermark used only without a target
 * @param target the time whose demand the buffer is to hold, or null if the sizes do not adapt
 */
public record BatchSizes(
    long batchSize, long maxBatchSize, long lowWatermark, @Nullable Duration target)
    implements BatchSizing {

  /** Whether each reservation is as large as the unmet demand, and no value is kept. */
  public boolean isOrderedMode() {
    return batchSize == 1;
  }

  BatchSizing sizing(Scheduler clock, LongSupplier issued, LongSupplier unmetDemand) {
    return target == null ? this : new AdaptiveSizing(this, target, clock, issued, unmetDemand);
  }

  @Override
  public long next(long unmet, long buffered) {
    return Math.min(Math.max(unmet, batchSize), maxBatchSize);
  }
}
