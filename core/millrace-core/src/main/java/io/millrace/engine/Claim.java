package io.millrace.engine;

import org.jspecify.annotations.Nullable;

/**
 * The run of values one atomic add took from a block, and how much of it is issued. It is a part of
 * the subscription that holds it, and is reused for each claim. One thread at a time uses it; the
 * phases of {@link Waiter} say which.
 */
class Claim {

  /** The block the values are in, or null if nothing is claimed. */
  private @Nullable BlockCursor block;

  /** The index of the next value to issue. */
  private long next;

  /** The index after the last value to issue. */
  private long limit;

  /** Where the claim left the block's cursor: at the limit, or past the end of the block. */
  private long cursorAfter;

  /** The value at the limit, while a run is issued. */
  private long limitValue;

  /** The value issued last; meaningful only if {@link #hasIssued}. */
  private long lastIssued;

  private boolean hasIssued;

  final void hold(BlockCursor block, long at, long count) {
    this.block = block;
    next = at;
    cursorAfter = at + count;
    limit = Math.min(cursorAfter, block.size());
  }

  /** Prepares to claim for another: no fragment at or below the last value that it issued. */
  final void follow(Claim other) {
    lastIssued = other.lastIssued;
    hasIssued = other.hasIssued;
  }

  /** Takes over what another has claimed. */
  final void takeFrom(Claim other) {
    block = other.block;
    next = other.next;
    limit = other.limit;
    cursorAfter = other.cursorAfter;
    other.block = null;
  }

  /** Whether values are claimed and not issued. */
  final boolean isHolding() {
    return block != null;
  }

  /** Whether the claim left its block with no more values than the low watermark. */
  final boolean isAtWatermark() {
    BlockCursor held = block;
    return held != null && held.isAtWatermark(cursorAfter);
  }

  /** Whether a value was issued. */
  final boolean hasIssued() {
    return hasIssued;
  }

  /** Whether a value is greater than every value issued. */
  final boolean rises(long value) {
    return !hasIssued || value > lastIssued;
  }

  /**
   * Issues the values held, one after another, while the sink is open; the rest stays held. A sink
   * should not throw. If it does, the value that it received counts as issued, and the values after
   * it stay held.
   *
   * @return how many were issued
   */
  final long issueTo(ValueSink sink) {
    BlockCursor held = block;
    if (held == null) {
      return 0;
    }
    return held.isRun() ? issueRun(held.first(), sink) : issueEach(held, sink);
  }

  /**
   * The loop that most values pass through. It keeps only the value in a register and nothing on
   * the stack. Everything else is in fields, also the bound: for a local bound the JIT compiler
   * would add a counter. The values may end at the largest long.
   */
  private long issueRun(long first, ValueSink sink) {
    long value = first + next;
    limitValue = first + limit;
    try {
      while (sink.isOpen() && value != limitValue) {
        sink.accept(value++);
      }
    } catch (Throwable thrown) {
      issued(limitValue - value, value - 1);
      throw thrown;
    }
    return issued(limitValue - value, value - 1);
  }

  private long issueEach(BlockCursor held, ValueSink sink) {
    long index = next;
    long count;
    try {
      while (sink.isOpen() && index < limit) {
        sink.accept(held.valueAt(index++));
      }
    } finally {
      count = issued(limit - index, held.valueAt(Math.max(0, index - 1)));
    }
    return count;
  }

  private long issued(long left, long latest) {
    long count = limit - next - left;
    if (count > 0) {
      next += count;
      lastIssued = latest;
      hasIssued = true;
    }
    if (left == 0) {
      block = null;
    }
    return count;
  }

  /** Gives what is held and not issued back to the buffer; false if nothing is. */
  final boolean giveBack(Buffer buffer) {
    BlockCursor held = block;
    if (held == null) {
      return false;
    }
    block = null;
    buffer.giveBack(held, next, cursorAfter);
    return true;
  }

  /** Where issued values go. */
  interface ValueSink {

    /** Whether another value may be passed. */
    boolean isOpen();

    void accept(long value);
  }
}
