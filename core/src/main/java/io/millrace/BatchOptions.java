package io.millrace;

import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a builder was told of the sizes of blocks: they are fixed, or adapt to the use. Options set
 * before {@link #becomeDefaults} give way to those of the other kind that are set later; else the
 * two kinds exclude each other.
 */
final class BatchOptions {

  /** The smallest that adapts: the watermark is 2 or more, and a block is larger. */
  static final long SMALLEST_ADAPTIVE = 3;

  /** What sizes are if nothing is said of them. */
  private static final long BATCH_SIZE = 1_000;

  private static final long MAX_BATCH_SIZE = 10_000;

  private @Nullable Long batchSize;
  private @Nullable Long maxBatchSize;
  private @Nullable Long lowWatermark;
  private @Nullable Batches adaptive;

  /** Whether what is set is but a default. */
  private boolean defaults;

  void batchSize(long values) {
    chooseFixed();
    batchSize = values;
  }

  void maxBatchSize(long values) {
    chooseFixed();
    maxBatchSize = values;
  }

  void lowWatermark(long values) {
    chooseFixed();
    lowWatermark = values;
  }

  void adaptive(long min, long max, Duration target) {
    if (defaults) {
      batchSize = null;
      maxBatchSize = null;
      lowWatermark = null;
    }
    adaptive = new Batches(min, max, 0, target);
  }

  private void chooseFixed() {
    if (defaults) {
      adaptive = null;
    }
  }

  void becomeDefaults() {
    defaults = true;
  }

  /**
   * Refuses options that exclude each other.
   *
   * @param maxWaiters how many may wait for a reservation
   */
  Batches checked(int maxWaiters) {
    return adaptive == null ? fixed(maxWaiters) : alone(adaptive);
  }

  private Batches alone(Batches adapting) {
    StringJoiner others = new StringJoiner(", ");
    name(others, "batchSize", batchSize);
    name(others, "maxBatchSize", maxBatchSize);
    name(others, "lowWatermark", lowWatermark);
    if (others.length() > 0) {
      throw new IllegalArgumentException(
          "adaptive chooses the block size and the watermark itself, from "
              + adapting.batchSize()
              + " to "
              + adapting.maxBatchSize()
              + " values, and excludes "
              + others);
    }
    return adapting;
  }

  private static void name(StringJoiner others, String option, @Nullable Long value) {
    if (value != null) {
      others.add(option + " " + value);
    }
  }

  private Batches fixed(int maxWaiters) {
    long size = batchSize == null ? BATCH_SIZE : batchSize;
    long max = maxBatchSize == null ? Math.max(size, MAX_BATCH_SIZE) : maxBatchSize;
    long watermark = lowWatermark == null ? 0 : lowWatermark;
    if (watermark >= size) {
      throw new IllegalArgumentException(
          "lowWatermark must be below batchSize " + size + ", was " + watermark);
    }
    if (max < size) {
      throw new IllegalArgumentException(
          "maxBatchSize must be at least batchSize " + size + ", was " + max);
    }
    if (maxWaiters == 0 && watermark == 0) {
      throw new IllegalArgumentException(
          "maxWaiters 0 needs a lowWatermark above 0 to fill the buffer, was " + watermark);
    }
    return new Batches(size, max, watermark, null);
  }
}
