package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceRegressionException;
import io.millrace.SequenceState;
import io.millrace.SequenceStoreException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the blocks of a store so far say about the next one: whether it keeps the contract, and how
 * many values are left. A block that breaks the contract is refused, and none of its values is
 * issued. Changed by the drain loop only.
 */
final class BlockHistory {

  private final String sequence;
  private final long maxValue;
  private final boolean ordered;
  private final boolean neverMovesBack;

  /** The largest value that the sequence can have. */
  private final long largest;

  /** The last usable value of the latest block; meaningful only if {@link #hasSeen}. */
  private long highest;

  private boolean hasSeen;

  /**
   * Why the store can never give values again, or null. Written by the drain loop and read by the
   * attempt that begins, never at the same time.
   */
  private volatile @Nullable SequenceExhaustedException end;

  /**
   * The value after which values are left; null while it is not known. It stays null for a store
   * that is not ordered or returns explicit values: its largest value says nothing about the next
   * ones.
   */
  private volatile @Nullable Long mark;

  BlockHistory(GeneratorConfig config) {
    this.sequence = config.sequence();
    this.maxValue = config.maxValue();
    this.ordered = config.store().isOrdered();
    this.neverMovesBack = ordered && !config.releasable();
    this.largest = Math.min(maxValue, SequenceState.LARGEST_VALUE);
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
    if (ordered) {
      mark = usable.isRun() ? usable.last() : null;
    }
    highest = usable.last(); // not that of the block: values given back may come again
    hasSeen = true;
  }

  /** The sequence has no block left. */
  void exhausted(SequenceExhaustedException failure) {
    Long before = mark;
    long next = failure.nextValue();
    if (ordered && next != Long.MIN_VALUE && (before == null || next - 1 > before)) {
      mark = Math.min(next - 1, largest);
    }
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
  }

  private SequenceBlock upToMaxValue(SequenceBlock block) {
    SequenceBlock usable = block.upTo(maxValue);
    if (usable == null) {
      SequenceExhaustedException exhausted =
          new SequenceExhaustedException(sequence, block.first(), block.size(), maxValue);
      if (neverMovesBack) {
        end = exhausted;
      }
      throw exhausted;
    }
    return usable;
  }

  /** Why the store must not be asked again; null if it may have values. */
  @Nullable SequenceExhaustedException end() {
    return end;
  }

  /** How many values are left; empty if that is not known. Read by any thread. */
  OptionalLong remaining() {
    Long from = mark;
    return from == null ? OptionalLong.empty() : OptionalLong.of(above(from));
  }

  /** The numbers above a value; {@link Long#MAX_VALUE} if there are more. */
  private long above(long last) {
    long difference = largest - last;
    return last < 0 && largest >= 0 && difference < 0 ? Long.MAX_VALUE : Math.max(0, difference);
  }
}
