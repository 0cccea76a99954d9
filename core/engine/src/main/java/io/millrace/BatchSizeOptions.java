package io.millrace;

import java.time.Duration;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a builder was told of the sizes of blocks: they are fixed, or adapt to the use, which
 * exclude each other. Options may lie over others, their defaults: then the kind of those above
 * counts, and fixed sizes that they leave open are those below.
 */
final class BatchSizeOptions {

  /** The smallest that adapts: the watermark is 2 or more, and a block is larger. */
  static final long SMALLEST_ADAPTIVE = 3;

  /** What sizes are if nothing is said of them. */
  private static final long BATCH_SIZE = 1_000;

  private static final long MAX_BATCH_SIZE = 10_000;

  private @Nullable Long batchSize;
  private @Nullable Long maxBatchSize;
  private @Nullable Long lowWatermark;
  private @Nullable BatchSizes adaptive;

  /** What counts where these say nothing, or null. */
  private final @Nullable BatchSizeOptions defaults;

  BatchSizeOptions(@Nullable BatchSizeOptions defaults) {
    this.defaults = defaults;
  }

  void batchSize(long values) {
    batchSize = values;
  }

  void maxBatchSize(long values) {
    maxBatchSize = values;
  }

  void lowWatermark(long values) {
    lowWatermark = values;
  }

  void adaptive(long min, long max, Duration target) {
    adaptive = new BatchSizes(min, max, 0, target);
  }

  /**
   * Refuses options that exclude each other.
   *
   * @param maxWaiters how many may wait for a reservation
   */
  BatchSizes checked(int maxWaiters) {
    if (adaptive != null) {
      return alone(adaptive);
    }
    boolean saysNothing = batchSize == null && maxBatchSize == null && lowWatermark == null;
    return saysNothing && defaults != null ? defaults.checked(maxWaiters) : fixed(maxWaiters);
  }

  private BatchSizes alone(BatchSizes adapting) {
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

  private BatchSizes fixed(int maxWaiters) {
    long size = first(each -> each.batchSize, BATCH_SIZE);
    long max = first(each -> each.maxBatchSize, Math.max(size, MAX_BATCH_SIZE));
    long watermark = first(each -> each.lowWatermark, 0);
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
    return new BatchSizes(size, max, watermark, null);
  }

  private long first(Function<BatchSizeOptions, @Nullable Long> option, long otherwise) {
    Long own = option.apply(this);
    if (own != null) {
      return own;
    }
    return defaults == null ? otherwise : defaults.first(option, otherwise);
  }
}
