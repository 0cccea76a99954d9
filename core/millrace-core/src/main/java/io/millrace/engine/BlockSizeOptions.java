package io.millrace.engine;

import io.millrace.InvalidOptionException;
import io.millrace.internal.Defaults;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of a builder for the sizes of blocks. The sizes are either fixed or adaptive; setting
 * both is refused. Without any option they are adaptive. Options may have defaults, which are other
 * options. Then the options that are set decide whether the sizes are adaptive, and fixed sizes
 * that are not set come from the defaults.
 */
public final class BlockSizeOptions {

  /** The smallest adaptive block: the watermark is at least 2, and a block is larger. */
  public static final long SMALLEST_ADAPTIVE = 3;

  /** The sizes if no option is set. One object, so that all generators share it. */
  private static final BlockSizes DEFAULT =
      new BlockSizes(Defaults.ADAPTIVE_MIN, Defaults.ADAPTIVE_MAX, 0, Defaults.ADAPTIVE_TARGET);

  /** The fixed sizes that are not set if another one is. */
  private static final long BLOCK_SIZE = 1_000;

  private static final long MAX_BLOCK_SIZE = 10_000;

  private @Nullable Long blockSize;
  private @Nullable Long maxBlockSize;
  private @Nullable Long lowWatermark;
  private @Nullable BlockSizes adaptive;

  /** The options used where these are not set, or null. */
  private final @Nullable BlockSizeOptions defaults;

  public BlockSizeOptions(@Nullable BlockSizeOptions defaults) {
    this.defaults = defaults;
  }

  public void blockSize(long values) {
    blockSize = values;
  }

  public void maxBlockSize(long values) {
    maxBlockSize = values;
  }

  public void lowWatermark(long values) {
    lowWatermark = values;
  }

  public void adaptive(long min, long max, Duration target) {
    adaptive = new BlockSizes(min, max, 0, target);
  }

  /** Returns the sizes, and refuses options that exclude each other. */
  public BlockSizes checked(int maxWaiters) {
    if (adaptive != null) {
      return onlyAdaptive(adaptive);
    }
    if (blockSize != null || maxBlockSize != null || lowWatermark != null) {
      return fixed(maxWaiters);
    }
    return defaults == null ? DEFAULT : defaults.checked(maxWaiters);
  }

  private BlockSizes onlyAdaptive(BlockSizes adapting) {
    Map<String, Long> fixed = new LinkedHashMap<>();
    putIfSet(fixed, "blockSize", blockSize);
    putIfSet(fixed, "maxBlockSize", maxBlockSize);
    putIfSet(fixed, "lowWatermark", lowWatermark);
    if (!fixed.isEmpty()) {
      Map.Entry<String, Long> first = fixed.entrySet().iterator().next();
      throw new InvalidOptionException(
          first.getKey(),
          first.getValue(),
          "adaptive",
          "adaptive chooses the block size and the watermark itself, from "
              + adapting.blockSize()
              + " to "
              + adapting.maxBlockSize()
              + " values, and excludes "
              + fixed.entrySet().stream()
                  .map(each -> each.getKey() + " " + each.getValue())
                  .collect(Collectors.joining(", ")));
    }
    return adapting;
  }

  private static void putIfSet(Map<String, Long> fixed, String option, @Nullable Long value) {
    if (value != null) {
      fixed.put(option, value);
    }
  }

  private BlockSizes fixed(int maxWaiters) {
    long size = firstSet(each -> each.blockSize, BLOCK_SIZE);
    long max = firstSet(each -> each.maxBlockSize, Math.max(size, MAX_BLOCK_SIZE));
    long watermark = firstSet(each -> each.lowWatermark, 0);
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

  private long firstSet(Function<BlockSizeOptions, @Nullable Long> option, long builtIn) {
    Long own = option.apply(this);
    if (own != null) {
      return own;
    }
    return defaults == null ? builtIn : defaults.firstSet(option, builtIn);
  }
}
