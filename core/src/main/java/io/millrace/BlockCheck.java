package io.millrace;

import java.util.stream.LongStream;

/**
 * Holds a store to its contract: a block that breaks it is refused, and none of it is issued. Used
 * by the drain loop only.
 */
final class BlockCheck {

  private final String sequence;
  private final long maxValue;
  private final boolean ordered;

  /** The largest value seen; meaningful only if {@link #hasSeen}. */
  private long highest;

  private boolean hasSeen;

  BlockCheck(GeneratorConfig config) {
    this.sequence = config.sequence();
    this.maxValue = config.maxValue();
    this.ordered = config.store().isOrdered();
  }

  /**
   * Returns what of a block may be issued: all of it, or its values up to the largest allowed.
   *
   * @throws SequenceException if the block breaks the contract, or all of it is too large
   */
  SequenceBlock usablePart(SequenceBlock block, long asked) {
    if (block.size() != asked) {
      throw new SequenceStoreException(
          sequence,
          "returned a block of "
              + block.size()
              + " values when "
              + asked
              + " were asked for; the block is not used",
          null);
    }
    if (ordered) {
      checkRises(block);
    }
    return upToMaxValue(block);
  }

  private void checkRises(SequenceBlock block) {
    long before = highest;
    boolean any = hasSeen;
    for (long index = 0; index < (block.isRun() ? 1 : block.size()); index++) {
      long value = block.valueAt(index);
      if (any && value <= before) {
        throw new SequenceRegressionException(sequence, before, value);
      }
      before = value;
      any = true;
    }
    highest = block.last();
    hasSeen = true;
  }

  private SequenceBlock upToMaxValue(SequenceBlock block) {
    if (block.isRun()) {
      if (block.last() <= maxValue) {
        return block;
      }
      if (block.first() <= maxValue) {
        return block.slice(0, maxValue - block.first() + 1);
      }
    } else {
      long[] small =
          LongStream.range(0, block.size())
              .map(block::valueAt)
              .filter(value -> value <= maxValue)
              .toArray();
      if (small.length == block.size()) {
        return block;
      }
      if (small.length > 0) {
        return SequenceBlock.ofValues(small);
      }
    }
    throw new SequenceExhaustedException(sequence, block.first(), block.size(), maxValue);
  }
}
