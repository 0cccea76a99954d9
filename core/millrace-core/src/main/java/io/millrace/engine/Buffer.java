package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The values reserved and not yet claimed: a chain of blocks, claimed from the front, and
 * fragments, which are the ends of claims that subscribers gave back too late to undo the claim.
 *
 * <p><b>Order.</b> Over an ordered store the values a subscriber claims from the chain rise, since
 * blocks are appended in rising order, and a block is sealed before any claim from the next. A
 * fragment is issued before the chain, but only to a subscriber whose last value is lower.
 *
 * <p>In the ordered mode the chain stays empty until the shutdown, and what is given back too late
 * is a gap.
 */
final class Buffer {

  private static final AtomicReferenceFieldUpdater<Buffer, BlockCursor> CURRENT =
      AtomicReferenceFieldUpdater.newUpdater(Buffer.class, BlockCursor.class, "current");

  private static final AtomicIntegerFieldUpdater<Buffer> FRAGMENT_COUNT =
      AtomicIntegerFieldUpdater.newUpdater(Buffer.class, "fragmentCount");

  private static final AtomicLongFieldUpdater<Buffer> RESERVED =
      AtomicLongFieldUpdater.newUpdater(Buffer.class, "reserved");

  private static final AtomicLongFieldUpdater<Buffer> DISCARDED =
      AtomicLongFieldUpdater.newUpdater(Buffer.class, "discarded");

  private final boolean ordered;
  private final boolean rising;

  /** The block to claim from. A thread that finds it spent moves on to the next. */
  private volatile BlockCursor current = BlockCursor.empty();

  /** The last block of the chain. Used by the drain loop only. */
  private BlockCursor newest = current;

  private final Queue<BlockCursor> fragments = new ConcurrentLinkedQueue<>();

  /**
   * The number of fragments, or a little more. Asking the queue would cost the fast path too much.
   */
  private volatile int fragmentCount;

  /** Set once, by the drain loop; values given back after that are a gap. */
  private volatile boolean closed;

  private volatile long reserved;
  private volatile long discarded;

  private final GeneratorConfig config;

  Buffer(GeneratorConfig config) {
    this.config = config;
    this.ordered = config.isOrderedMode();
    this.rising = config.store().isOrdered();
  }

  /** The block to claim from if there is no fragment; it may be spent. */
  BlockCursor current() {
    return current;
  }

  /** Claims up to {@code count} values; false if none is available to this claim. */
  boolean claim(Claim claim, long count) {
    return (hasFragments() && claimFragment(claim, count)) || claimFromChain(claim, count);
  }

  private boolean claimFromChain(Claim claim, long count) {
    for (; ; ) {
      BlockCursor block = current;
      long at = block.claim(count);
      if (at >= 0) {
        claim.hold(block, at, count);
        return true;
      }
      BlockCursor next = block.next;
      if (next == null) {
        return false;
      }
      if (block.sealIfSpent()) {
        CURRENT.compareAndSet(this, block, next);
      }
    }
  }

  private boolean claimFragment(Claim claim, long count) {
    for (BlockCursor fragment : fragments) {
      for (long at = fragment.position(); at < fragment.size(); at = fragment.position()) {
        if (rising && !claim.rises(fragment.valueAt(at))) {
          break;
        }
        if (fragment.claimAt(at, count)) {
          claim.hold(fragment, at, count);
          return true;
        }
      }
      if (fragment.sealIfSpent()) {
        forget(fragment);
      }
    }
    return false;
  }

  /** Takes back the values from {@code from} on of a claim that ended at {@code end}. */
  void giveBack(BlockCursor block, long from, long end) {
    if (!block.putBack(from, end)) {
      giveBack(block.slice(from, Math.min(end, block.size())));
    }
  }

  /** Takes back values that no claim holds any more. */
  void giveBack(SequenceBlock values) {
    if (ordered || closed) {
      discard(values.size());
      return;
    }
    BlockCursor fragment = BlockCursor.fragment(values);
    FRAGMENT_COUNT.incrementAndGet(this); // before the add, so that it is never too low
    fragments.add(fragment);
    if (closed) { // since the first check; the closing thread may have missed this fragment
      discardFragments();
    }
  }

  /**
   * Appends a reserved block to the chain. Its values count as reserved only after they can be
   * claimed. Called by the drain loop only.
   *
   * @param lowWatermark how many values are left when the next block is due
   */
  void append(SequenceBlock block, long lowWatermark) {
    BlockCursor appended = new BlockCursor(block, lowWatermark);
    newest.next = appended;
    newest = appended;
    countReserved(block.size());
  }

  void countReserved(long count) {
    RESERVED.addAndGet(this, count);
  }

  /** Counts values that are a gap as soon as they are reserved. */
  void countUnusable(long count) {
    discard(count);
    countReserved(count);
  }

  /** Counts values that will not be issued, and reports them to the recorders. */
  void discard(long count) {
    DISCARDED.addAndGet(this, count);
    reportDiscarded(count);
  }

  /** Reports values to the recorders that are counted as discarded. */
  void reportDiscarded(long count) {
    if (count > 0) {
      config.metrics().record(to -> to.discarded(config.sequence(), count));
    }
  }

  boolean hasFragments() {
    return fragmentCount != 0;
  }

  /** How many values are reserved and not claimed. */
  long buffered() {
    long sum = leftInChain();
    for (BlockCursor fragment : fragments) {
      sum += fragment.left();
    }
    return sum;
  }

  /** How many values of the chain are not claimed. */
  long leftInChain() {
    long sum = 0;
    for (BlockCursor block = current; block != null; block = block.next) {
      sum += block.left();
    }
    return sum;
  }

  long reserved() {
    return reserved;
  }

  long discarded() {
    return discarded;
  }

  long issued() {
    long reserved = this.reserved; // first, though it is counted last: the result is never too high
    return Math.max(0, reserved - buffered() - discarded);
  }

  /**
   * Discards all values; none can be claimed or put back after that. Called once, by the drain
   * loop, when no block is appended any more.
   *
   * @return the unclaimed end of the newest block, which was not reported as discarded, because it
   *     can be released; null if there is none. It is joined with the end of the block before it if
   *     the two are consecutive and the store is ordered
   */
  @Nullable SequenceBlock close() {
    closed = true;
    discardFragments();
    long unclaimed = 0;
    SequenceBlock tail = null;
    for (BlockCursor block = current; block != null; block = block.next) {
      long from = block.seal();
      long left = block.size() - from;
      if (left > 0) {
        DISCARDED.addAndGet(this, left);
        unclaimed += left;
        tail = lastOf(tail, block.slice(from, block.size()));
      } else if (block.size() > 0) {
        tail = null; // the newer block is used up, so an older tail is not the newest
      }
    }
    reportDiscarded(tail == null ? unclaimed : unclaimed - tail.size());
    return tail;
  }

  /**
   * Joins two blocks that were reserved one after the other if the second continues the first, else
   * returns the second. If the store is not ordered, such blocks may belong to different counters.
   */
  private SequenceBlock lastOf(@Nullable SequenceBlock front, SequenceBlock back) {
    return rising
            && front != null
            && front.isRun()
            && back.isRun()
            && front.last() + 1 == back.first()
        ? SequenceBlock.of(front.first(), front.size() + back.size())
        : back;
  }

  private void discardFragments() {
    for (BlockCursor fragment : fragments) {
      long from = fragment.seal();
      discard(fragment.size() - from);
      forget(fragment);
    }
  }

  private void forget(BlockCursor fragment) {
    if (fragments.remove(fragment)) {
      FRAGMENT_COUNT.decrementAndGet(this);
    }
  }
}
