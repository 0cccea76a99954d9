package io.millrace.engine;

import io.millrace.MaxValue;
import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Checks a store's blocks against its contract. A block that breaks the contract is refused, and
 * none of its values is issued. Used by the drain loop only.
 */
final class BlockCheck {

  private final String sequence;
  private final MaxValue maxValue;
  private final boolean ordered;
  private final boolean neverMovesBack;

  /** The last usable value of the latest block; meaningful only if {@link #hasSeen}. */
  private long highest;

  private boolean hasSeen;

  /**
   * Why the store can never give values again, or null. Written by the drain loop and read by the
   * attempt that begins, never at the same time.
   */
  private volatile @Nullable SequenceExhaustedException end;

  BlockCheck(GeneratorConfig config) {
    this.sequence = config.sequence();
    this.maxValue = config.maxValue();
    this.ordered = config.store().isOrdered();
    this.neverMovesBack = ordered && !config.releasable();
  }

  /**
   * Returns the part of a block that may be issued: all of it, or its values up to the largest
   * allowed.
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
              + " were requested; the block is not used",
          null);
    }
    if (ordered) {
      checkRises(block);
    }
    return upToMaxValue(block);
  }

  /** These values will be issued: later ones have to be greater. */
  void accepted(SequenceBlock usable) {
    highest = usable.last(); // not that of the block: values given back may come again
    hasSeen = true;
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
  }

  private SequenceBlock upToMaxValue(SequenceBlock block) {
    SequenceBlock usable = block.upTo(maxValue.value());
    if (usable == null) {
      SequenceExhaustedException exhausted =
          new SequenceExhaustedException(
              sequence, block.first(), block.size(), maxValue.value(), remedy(), null);
      if (neverMovesBack) {
        end = exhausted;
      }
      throw exhausted;
    }
    return usable;
  }

  private String remedy() {
    return maxValue.isType()
        ? "that is maxValue " + maxValue + ": widen the column, or move to another sequence"
        : "raise the limit, or move to another sequence";
  }

  /** Why the store must not be asked again; null if it may have values. */
  @Nullable SequenceExhaustedException end() {
    return end;
  }
}
