package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * The run of values one atomic add took from a block, and how much of it is issued. It is a part of
 * the subscription that holds it, reused from claim to claim, and used by one thread at a time; the
 * phases of {@link Waiter} say by which.
 */
class Claim {

  /** The block the values are in, or null if nothing is claimed. */
  private @Nullable LiveBlock block;

  /** The index of the next value to issue. */
  private long at;

  /** The index behind the last value claimed; where the claim left the block's cursor. */
  private long end;

  /** The value issued last; meaningful only if {@link #hasIssued}. */
  private long last;

  private boolean hasIssued;

  final void hold(LiveBlock block, long at, long count) {
    this.block = block;
    this.at = at;
    this.end = at + count;
  }

  /** Claims on behalf of another from now on: no fragment below what that one has issued. */
  final void follow(Claim other) {
    last = other.last;
    hasIssued = other.hasIssued;
  }

  /** Takes over what another has claimed. */
  final void takeFrom(Claim other) {
    block = other.block;
    at = other.at;
    end = other.end;
    other.block = null;
  }

  /** Whether the claim left its block with no more values than the low watermark. */
  final boolean isAtWatermark() {
    LiveBlock held = block;
    return held != null && held.isAtWatermark(end);
  }

  /** Whether a value is greater than every value issued. */
  final boolean rises(long value) {
    return !hasIssued || value > last;
  }

  /**
   * Issues the values held, one after another, as long as the sink takes them; what it does not
   * take stays held.
   *
   * @return how many were issued
   */
  final long issueTo(ValueSink sink) {
    LiveBlock held = block;
    if (held == null) {
      return 0;
    }
    long from = at;
    long to = Math.min(end, held.size());
    long index = held.isRun() ? issueRun(held.first(), from, to, sink) : issue(held, to, sink);
    at = index;
    if (index > from) {
      last = held.valueAt(index - 1);
      hasIssued = true;
    }
    if (index == to) {
      block = null;
    }
    return index - from;
  }

  /** Issues from {@code index} on, and returns the index behind the last value issued. */
  private static long issueRun(long first, long index, long to, ValueSink sink) {
    while (index < to && sink.isOpen()) {
      sink.accept(first + index++);
    }
    return index;
  }

  private long issue(LiveBlock held, long to, ValueSink sink) {
    long index = at;
    while (index < to && sink.isOpen()) {
      sink.accept(held.valueAt(index++));
    }
    return index;
  }

  /** Gives what is held and not issued back to the buffer; false if nothing is. */
  final boolean giveBack(Buffer buffer) {
    LiveBlock held = block;
    if (held == null) {
      return false;
    }
    block = null;
    buffer.giveBack(held, at, end);
    return true;
  }

  /** Where issued values go. */
  interface ValueSink {

    /** Whether another value may be passed. */
    boolean isOpen();

    void accept(long value);
  }
}
