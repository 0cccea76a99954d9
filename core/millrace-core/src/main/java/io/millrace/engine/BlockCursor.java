package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A block, or a part of one, that values are being claimed from.
 *
 * <p><b>Invariant.</b> Each index below {@code size} is inside at most one claim. A claim moves
 * {@link #cursor} with one atomic add, and {@link #putBack} moves it back only while there is no
 * later claim. The cursor may overshoot {@code size}; then nothing is left. Once sealed it stays at
 * {@link #SEALED} or above, and nothing can be claimed or put back any more. A thread seals this
 * block before it moves on to the next. Otherwise a value put back later would never be found.
 */
final class BlockCursor {

  /** Far above any size, and far enough below the largest long for claims to overshoot it. */
  private static final long SEALED = 1L << 62;

  private static final AtomicLongFieldUpdater<BlockCursor> CURSOR =
      AtomicLongFieldUpdater.newUpdater(BlockCursor.class, "cursor");

  private final SequenceBlock values;
  private final long size;

  /** A claim that ends at this index or above leaves at most the low watermark. */
  private final long refillAt;

  /** The index of the first value not claimed. Written by claimers, atomically. */
  private volatile long cursor;

  /** The block that comes after this one. Written once, by the generator's drain loop. */
  volatile @Nullable BlockCursor next;

  BlockCursor(SequenceBlock values, long lowWatermark) {
    this.values = values;
    this.size = values.size();
    this.refillAt = lowWatermark == 0 ? Long.MAX_VALUE : size - lowWatermark;
  }

  /** Values that were given back. Any claim of them may find the chain at the low watermark. */
  static BlockCursor fragment(SequenceBlock values) {
    return new BlockCursor(values, values.size());
  }

  private BlockCursor() {
    this.values = SequenceBlock.of(0, 1);
    this.size = 0;
    this.refillAt = Long.MAX_VALUE;
  }

  /** A block with no values, to begin a chain with. */
  static BlockCursor empty() {
    return new BlockCursor();
  }

  /**
   * The index of the first of up to {@code count} values claimed, or -1 if none is left.
   *
   * <p>A small claim does not read the cursor first. Where threads share the block, the read would
   * fetch the cursor from another core, and the add would fetch it again to write it.
   */
  long claim(long count) {
    if (count > BufferedSequenceGenerator.CHUNK && cursor >= size) {
      return -1; // or many large claims on an empty block would overflow the cursor
    }
    long at = CURSOR.getAndAdd(this, count);
    return at < size ? at : -1;
  }

  /** The index that a claim would begin at; the size or more if nothing is left. */
  long position() {
    return cursor;
  }

  /** Claims up to {@code count} values from {@code at} on, if a claim still begins there. */
  boolean claimAt(long at, long count) {
    return CURSOR.compareAndSet(this, at, at + count);
  }

  /**
   * Undoes the claim that ended at {@code end}, from {@code from} on, if it is still the last one.
   * An unmoved cursor proves that: a later claim would have moved it, and a later claim that was
   * put back whole issued nothing.
   */
  boolean putBack(long from, long end) {
    return CURSOR.compareAndSet(this, end, from);
  }

  /** Seals the block if all of it is claimed; false if values are left to claim. */
  boolean sealIfSpent() {
    for (; ; ) {
      long at = cursor;
      if (at < size) {
        return false;
      }
      if (at >= SEALED || CURSOR.compareAndSet(this, at, SEALED)) {
        return true;
      }
    }
  }

  /** Seals the block, and returns the index from which on nothing was claimed. */
  long seal() {
    return Math.min(CURSOR.getAndSet(this, SEALED), size);
  }

  long left() {
    return Math.max(0, size - cursor);
  }

  long size() {
    return size;
  }

  /** Whether the value at each index is {@link #first} more than the index. */
  boolean isRun() {
    return values.isRun();
  }

  long first() {
    return values.first();
  }

  /** The value at an index below the size. */
  long valueAt(long index) {
    return isRun() ? first() + index : values.valueAt(index);
  }

  SequenceBlock slice(long from, long to) {
    return values.slice(from, to);
  }

  /**
   * Whether a claim that ends here leaves at most the low watermark, judged by this block and the
   * next one. A next block with more values than the low watermark makes this false.
   */
  boolean isAtWatermark(long claimEnd) {
    if (claimEnd < refillAt) {
      return false;
    }
    BlockCursor following = next;
    return following == null || following.refillAt <= 0;
  }
}
