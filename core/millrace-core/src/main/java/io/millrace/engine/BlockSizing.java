package io.millrace.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Decides how many values a generator's reservations obtain, and how early they start. The sizes
 * are fixed, or adapt to the demand.
 *
 * <p>Each attempt to reserve calls {@link #begin}. If it succeeds, the drain loop calls {@link
 * #end}. The two never run at the same time.
 *
 * <p>Sizes that adapt follow two measures of the demand. {@link #peak} is the largest demand that
 * came during one reservation. The low watermark is twice the peak, plus 2. So no subscriber waits
 * if the rate or the latency doubles between one reservation and the next; the 2 are added because
 * small counts vary the most. A larger peak counts at once, and fades slowly.
 *
 * <p>{@link #recent} is the demand of the latest {@code target}; older demand fades. It sets the
 * level up to which a reservation fills the buffer, and so how many values are lost if the process
 * dies. The level is higher only if the watermark needs it: a block has to be larger than the
 * watermark, or reservations could not keep up.
 *
 * <p>Both are capped at what makes the sizes the largest allowed. A larger measure would not change
 * the sizes, and would only take longer to fade.
 *
 * <p>(Source of the watermark: Google, "Sequence generation in Spanner". Source of filling up to a
 * level from a reorder point: the (s, S) policy of inventory theory.)
 */
final class BlockSizing {

  private static final double SAFETY = 2;
  private static final double MARGIN = 2;

  /** {@link #peak} halves in this time, or in that many targets if they are longer. */
  private static final double SHORTEST_HALF_LIFE = Duration.ofMinutes(2).toNanos();

  private static final double HALF_LIFE_IN_TARGETS = 16;

  private final BlockSizes limits;
  private final Scheduler clock;

  /** The time of the latest {@link #count}. */
  private long countedAt;

  /** The demand since the start, at the latest {@link #count}. */
  private long totalDemand;

  /** The same when the current attempt began. */
  private long demandAtBegin;

  private double peak;
  private double recent;

  private volatile long blockSize;
  private volatile long lowWatermark;

  /** Creates the sizes of a generator. */
  BlockSizing(BlockSizes limits, Scheduler clock) {
    this.limits = limits;
    this.clock = clock;
    this.blockSize = limits.blockSize();
    this.lowWatermark = limits.lowWatermark();
    if (limits.target() != null) {
      countedAt = clock.now(TimeUnit.NANOSECONDS);
      resize();
    }
  }

  /** How many values a reservation obtains when there are no waiters. Read by any thread. */
  long blockSize() {
    return blockSize;
  }

  /**
   * A reservation is due when this many values are left; 0 means no prefetch. Read by any thread.
   */
  long lowWatermark() {
    return lowWatermark;
  }

  /**
   * Adapts the sizes at the begin of an attempt to reserve.
   *
   * @param issued how many values were issued so far
   * @param unmet the unmet demand; {@link Long#MAX_VALUE} if it is unbounded
   * @param buffered how many values are buffered
   * @return how many values to reserve, for the waiters and for the buffer
   */
  long begin(long issued, long unmet, long buffered) {
    Duration target = limits.target();
    if (target != null) {
      count(target, issued, unmet);
      resize();
      totalDemand = totalDemand(issued, unmet); // again, with the sizes that hold until the answer
      demandAtBegin = totalDemand;
    }
    return reservation(unmet, buffered);
  }

  /** How many values to reserve with the present sizes. */
  long reservation(long unmet, long buffered) {
    if (limits.target() == null) {
      return Math.min(Math.max(unmet, blockSize), limits.maxBlockSize());
    }
    long missing = blockSize + Math.max(0, lowWatermark - buffered);
    return Math.min(limits.maxBlockSize(), Operators.addCap(missing, bounded(unmet)));
  }

  /** Adapts the sizes after a success, before the values count as reserved. */
  void end(long issued, long unmet) {
    Duration target = limits.target();
    if (target == null) {
      return;
    }
    count(target, issued, unmet);
    if (unmet != Long.MAX_VALUE) {
      long demand = totalDemand - demandAtBegin;
      peak = Math.min(limits.maxBlockSize() / SAFETY, Math.max(peak, demand));
    } // else the demand is unbounded, and no watermark is enough for it
    resize();
  }

  /** Adds the demand since the latest call, taken as evenly spread, and fades older demand. */
  private void count(Duration target, long issued, long unmet) {
    long now = clock.now(TimeUnit.NANOSECONDS);
    long total = totalDemand(issued, unmet);
    double elapsed = Math.max(0, now - countedAt);
    double more = Math.max(0, total - totalDemand); // a waiter that cancels takes its demand back
    double targetNanos = target.toNanos();
    double halfLife = Math.max(SHORTEST_HALF_LIFE, HALF_LIFE_IN_TARGETS * targetNanos);
    double targets = elapsed / targetNanos;
    double evenly = targets == 0 ? 1 : -Math.expm1(-targets) / targets;
    recent = Math.min(2.0 * limits.maxBlockSize(), recent * Math.exp(-targets) + more * evenly);
    peak *= Math.pow(2, -elapsed / halfLife);
    countedAt = now;
    totalDemand = total;
  }

  private long totalDemand(long issued, long unmet) {
    return Operators.addCap(issued, bounded(unmet));
  }

  private void resize() {
    double watermark = Math.rint(SAFETY * peak) + MARGIN;
    double level = Math.max(recent, 2 * watermark + 1);
    double wanted = Math.max(limits.blockSize(), Math.ceil(level - watermark));
    long size = (long) Math.min(limits.maxBlockSize(), wanted);
    blockSize = size;
    lowWatermark = (long) Math.min(size - 1, watermark);
  }

  /** Counts an unbounded demand as a full buffer, which grows with each reservation. */
  private long bounded(long demand) {
    return demand == Long.MAX_VALUE ? blockSize + lowWatermark : demand;
  }
}
