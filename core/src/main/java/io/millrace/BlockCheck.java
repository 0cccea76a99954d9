package io.millrace;

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
    for (long index = 0; index < (block.step() > 0 ? 1 : block.size()); index++) {
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
    SequenceBlock usable = block.upTo(maxValue);
    if (usable == null) {
      throw new SequenceExhaustedException(sequence, block.first(), block.size(), maxValue);
    }
    return usable;
  }
}
