package io.millrace;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The sizes of blocks that a builder was told, checked. Without a target they are what every
 * reservation goes by: the same size always, and more only for those who wait.
 *
 * @param batchSize the smallest
 * @param maxBatchSize the largest
 * @param lowWatermark meaningful only without a target
 * @param target for how long a time's use the buffer is, or null if the sizes do not adapt
 */
record BatchSizes(long batchSize, long maxBatchSize, long lowWatermark, @Nullable Duration target)
    implements BatchSizing {

  /** Whether every reservation is for the demand of its moment and nothing is kept. */
  boolean isOrderedMode() {
    return batchSize == 1;
  }

  BatchSizing sizing(Scheduler clock, Supplier<SequenceGeneratorSnapshot> generator) {
    return target == null
        ? this
        : new AdaptiveSizing(batchSize, maxBatchSize, target, clock, generator);
  }

  @Override
  public long next(long unmet, long buffered) {
    return Math.min(Math.max(unmet, batchSize), maxBatchSize);
  }
}
