package io.millrace.engine;

import io.millrace.InvalidOptionException;
import io.millrace.internal.Defaults;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The block sizes of a generator, checked. With a target they adapt to the demand; without one they
 * are fixed: each reservation obtains {@code blockSize} values, or the unmet demand if that is
 * larger, up to {@code maxBlockSize}.
 *
 * @param blockSize the smallest reservation
 * @param maxBlockSize the largest reservation
 * @param lowWatermark used only without a target
 * @param target the time whose demand the buffer is to hold, or null if the sizes do not adapt
 */
public record BlockSizes(
    long blockSize, long maxBlockSize, long lowWatermark, @Nullable Duration target) {

  /** The smallest adaptive block: the watermark is at least 2, and a block is larger. */
  public static final long SMALLEST_ADAPTIVE = 3;

  /** The sizes if no option is set. One object, so that all generators share it. */
  private static final BlockSizes DEFAULT =
      new BlockSizes(Defaults.ADAPTIVE_MIN, Defaults.ADAPTIVE_MAX, 0, Defaults.ADAPTIVE_TARGET);

  /** Whether each reservation is as large as the unmet demand, and no value is kept. */
  public boolean isOrderedMode() {
    return blockSize == 1;
  }

  /**
   * The options of a builder for the sizes. They are either fixed or adaptive; setting both is
   * refused. Without any option they are adaptive.
   */
  public static final class Options {

    /** The fixed sizes that are not set if another one is. */
    private static final long BLOCK_SIZE = 1_000;

    private static final long MAX_BLOCK_SIZE = 10_000;

    private @Nullable Long blockSize;
    private @Nullable Long maxBlockSize;
    private @Nullable Long lowWatermark;
    private @Nullable BlockSizes adaptive;

    /** Whether the next option of one kind replaces those of the other. */
    private boolean defaults;

    public void blockSize(long values) {
      replaceAdaptiveDefault();
      blockSize = values;
    }

    public void maxBlockSize(long values) {
      replaceAdaptiveDefault();
      maxBlockSize = values;
    }

    public void lowWatermark(long values) {
      replaceAdaptiveDefault();
      lowWatermark = values;
    }

    private void replaceAdaptiveDefault() {
      if (defaults) {
        adaptive = null;
        defaults = false;
      }
    }

    public void adaptive(long min, long max, Duration target) {
      if (defaults) {
        blockSize = null;
        maxBlockSize = null;
        lowWatermark = null;
        defaults = false;
      }
      adaptive = new BlockSizes(min, max, 0, target);
    }

    /** Makes the options set so far defaults: those set later replace them, of either kind. */
    public void becomeDefaults() {
      defaults = true;
    }

    /** Returns the sizes, and refuses options that exclude each other. */
    public BlockSizes checked(int maxWaiters) {
      if (adaptive != null) {
        refuseWith(adaptive, "blockSize", blockSize);
        refuseWith(adaptive, "maxBlockSize", maxBlockSize);
        refuseWith(adaptive, "lowWatermark", lowWatermark);
        return adaptive;
      }
      return blockSize == null && maxBlockSize == null && lowWatermark == null
          ? DEFAULT
          : fixed(maxWaiters);
    }

    private static void refuseWith(BlockSizes adaptive, String option, @Nullable Long value) {
      if (value != null) {
        throw new InvalidOptionException(
            option,
            value,
            "adaptive",
            "adaptive chooses the block size and the watermark itself, from "
                + adaptive.blockSize()
                + " to "
                + adaptive.maxBlockSize()
                + " values, and excludes "
                + option
                + " "
                + value);
      }
    }

    private BlockSizes fixed(int maxWaiters) {
      long size = blockSize != null ? blockSize : BLOCK_SIZE;
      long max = maxBlockSize != null ? maxBlockSize : Math.max(size, MAX_BLOCK_SIZE);
      long watermark = lowWatermark != null ? lowWatermark : 0;
      if (watermark >= size) {
        throw new InvalidOptionException(
            "lowWatermark",
            watermark,
            "blockSize",
            "lowWatermark must be below blockSize " + size + ", was " + watermark);
      }
      if (max < size) {
        throw new InvalidOptionException(
            "maxBlockSize",
            max,
            "blockSize",
            "maxBlockSize must be at least blockSize " + size + ", was " + max);
      }
      if (maxWaiters == 0 && watermark == 0) {
        throw new InvalidOptionException(
            "maxWaiters",
            maxWaiters,
            "lowWatermark",
            "maxWaiters 0 needs a lowWatermark above 0 to fill the buffer, was " + watermark);
      }
      return new BlockSizes(size, max, watermark, null);
    }
  }
}
