package io.millrace;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The values reserved and not yet issued: a chain of blocks, claimed from the front, and fragments,
 * which are the ends of claims that cancelled subscribers gave back too late to undo the claim.
 *
 * <p><b>Order.</b> Over an ordered store the values a subscriber claims from the chain rise, since
 * blocks are appended in rising order and a block is sealed before anybody claims from the next. A
 * fragment is issued before the chain, but only to a subscriber whose last value is lower.
 *
 * <p>In the ordered mode the chain stays empty, and what is given back too late is a gap.
 */
final class Buffer {

  private static final AtomicReferenceFieldUpdater<Buffer, LiveBlock> CURRENT =
      AtomicReferenceFieldUpdater.newUpdater(Buffer.class, LiveBlock.class, "current");

  private static final AtomicIntegerFieldUpdater<Buffer> FRAGMENT_COUNT =
      AtomicIntegerFieldUpdater.newUpdater(Buffer.class, "fragmentCount");

  private static final AtomicLongFieldUpdater<Buffer> RESERVED =
      AtomicLongFieldUpdater.newUpdater(Buffer.class, "reserved");

  private static final AtomicLongFieldUpdater<Buffer> DISCARDED =
      AtomicLongFieldUpdater.newUpdater(Buffer.class, "discarded");

  private final boolean ordered;
  private final boolean rising;
  private final BatchSizing sizing;

  /** The block to claim from. Moved on by any thread that finds it spent. */
  private volatile LiveBlock current = LiveBlock.empty();

  /** The last block of the chain. Used by the drain loop only. */
  private LiveBlock newest = current;

  private final Queue<LiveBlock> fragments = new ConcurrentLinkedQueue<>();

  /** How many fragments there are, or a few more: to ask the queue costs the fast path too much. */
  private volatile int fragmentCount;

  /** Set once, by the drain loop; from then on what is given back is a gap. */
  private volatile boolean closed;

  /**
   * Whether a subscriber that could have no fragment left the chain at the watermark. Set by any
   * thread, cleared by the next block.
   */
  private volatile boolean prefetchDue;

  private volatile long reserved;
  private volatile long discarded;

  /** Those of the discarded that were unclaimed at the shutdown. Used by the drain loop only. */
  private long unclaimed;

  private final GeneratorConfig config;

  Buffer(GeneratorConfig config, BatchSizing sizing) {
    this.config = config;
    this.sizing = sizing;
    this.ordered = config.isOrderedMode();
    this.rising = config.store().isOrdered();
  }

  /** The block to claim from, if there is no fragment; perhaps a spent one. */
  LiveBlock current() {
    return current;
  }

  /** Claims up to {@code count} values; false if there is none that this claim may have. */
  boolean claim(Claim claim, long count) {
    return (hasFragments() && claimFragment(claim, count)) || claimFromChain(claim, count);
  }

  private boolean claimFromChain(Claim claim, long count) {
    for (; ; ) {
      LiveBlock block = current;
      long at = block.claim(count);
      if (at >= 0) {
        claim.hold(block, at, count);
        return true;
      }
      LiveBlock next = block.next;
      if (next == null) {
        return false;
      }
      if (block.sealIfSpent()) {
        CURRENT.compareAndSet(this, block, next);
      }
    }
  }

  private boolean claimFragment(Claim claim, long count) {
    for (LiveBlock fragment : fragments) {
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
  void giveBack(LiveBlock block, long from, long end) {
    if (!block.putBack(from, end)) {
      giveBack(block.slice(from, Math.min(end, block.size())));
    }
  }

  /** Takes back values that no claim covers any more. */
  void giveBack(SequenceBlock values) {
    if (ordered || closed) {
      discard(values.size());
      return;
    }
    LiveBlock fragment = new LiveBlock(values, 0);
    FRAGMENT_COUNT.incrementAndGet(this); // first, so that it is never too low
    fragments.add(fragment);
    if (closed) { // since the first look; whoever closed it may have missed this one
      discardFragments();
    }
  }

  /**
   * Appends a block that was reserved, for everybody to claim from. It counts as reserved once it
   * can be claimed from. Called by the drain loop only.
   */
  void append(SequenceBlock block) {
    prefetchDue = false;
    sizing.answered();
    LiveBlock appended = new LiveBlock(block, sizing.lowWatermark());
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

  /** Counts values that the store took back as soon as they were reserved. */
  void countReturned(long count) {
    if (count > 0) {
      DISCARDED.addAndGet(this, count);
      countReserved(count);
      config.metrics().released(config.sequence(), count);
    }
  }

  /** Counts values that nobody will be issued, and tells the recorder. */
  void discard(long count) {
    if (count > 0) {
      DISCARDED.addAndGet(this, count);
      config.metrics().discarded(config.sequence(), count);
    }
  }

  /**
   * Counts values that nobody had claimed by the shutdown. What the recorder is told depends on
   * whether the store takes them back.
   */
  void discardUnclaimed(long count) {
    DISCARDED.addAndGet(this, count);
    unclaimed += count;
  }

  long unclaimed() {
    return unclaimed;
  }

  boolean hasFragments() {
    return fragmentCount != 0;
  }

  /** How many values are reserved and not claimed. */
  long buffered() {
    long sum = leftInChain();
    for (LiveBlock fragment : fragments) {
      sum += fragment.left();
    }
    return sum;
  }

  private long leftInChain() {
    long sum = 0;
    for (LiveBlock block = current; block != null; block = block.next) {
      sum += block.left();
    }
    return sum;
  }

  private boolean isAtWatermark() {
    long lowWatermark = sizing.lowWatermark();
    return lowWatermark > 0 && buffered() <= lowWatermark;
  }

  /** The same for one who could have no fragment: who claims from the chain does so for that. */
  boolean isChainAtWatermark() {
    long lowWatermark = sizing.lowWatermark();
    return lowWatermark > 0 && leftInChain() <= lowWatermark;
  }

  /** A subscriber that claims from the chain left it at the watermark. */
  void markPrefetchDue() {
    prefetchDue = true;
  }

  /**
   * Whether the next block is to be reserved ahead of need. The flag alone does not tell: it may be
   * raised by a thread that looked before the block came that cleared it.
   */
  boolean isPrefetchDue() {
    return (prefetchDue && isChainAtWatermark()) || isAtWatermark();
  }

  long reserved() {
    return reserved;
  }

  long discarded() {
    return discarded;
  }

  /**
   * Takes everything out, so that nothing can be claimed or put back any more, and returns the end
   * of the newest block that was never claimed, joined with the end of the block before where the
   * two are consecutive and the store has one counter. What else there was is discarded. Called by
   * the drain loop only.
   */
  @Nullable SequenceBlock close() {
    closed = true;
    discardFragments();
    SequenceBlock tail = null;
    for (LiveBlock block = current; block != null; block = block.next) {
      long from = block.seal();
      if (from < block.size()) {
        SequenceBlock rest = block.slice(from, block.size());
        discardUnclaimed(rest.size());
        tail = lastOf(tail, rest);
      } else if (block.size() > 0) {
        tail = null; // nothing of the newest block is left, whatever was left before it
      }
    }
    return tail;
  }

  /**
   * The end of two blocks that were reserved one after the other. Without order, neighbours may be
   * of different counters, and the two together of none.
   */
  SequenceBlock lastOf(@Nullable SequenceBlock front, SequenceBlock back) {
    return rising ? joined(front, back) : back;
  }

  /** The two as one if the second goes on where the first ends, else the second. */
  static SequenceBlock joined(@Nullable SequenceBlock front, SequenceBlock back) {
    boolean consecutive =
        front != null && front.isRun() && back.isRun() && front.last() + 1 == back.first();
    return front != null && consecutive
        ? SequenceBlock.of(front.first(), front.size() + back.size())
        : back;
  }

  private void discardFragments() {
    for (LiveBlock fragment : fragments) {
      long from = fragment.seal();
      discard(fragment.size() - from);
      forget(fragment);
    }
  }

  private void forget(LiveBlock fragment) {
    if (fragments.remove(fragment)) {
      FRAGMENT_COUNT.decrementAndGet(this);
    }
  }
}
