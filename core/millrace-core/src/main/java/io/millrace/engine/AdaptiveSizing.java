package io.millrace.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Adapts the sizes to the demand, from two measures of it.
 *
 * <p>{@link #peak} is the largest demand that came during one reservation. The low watermark is
 * twice the peak, plus 2. So no subscriber waits if the rate or the latency doubles between one
 * reservation and the next; the 2 are added because small counts vary the most. A larger peak
 * counts at once, and fades slowly.
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
final class AdaptiveSizing implements BatchSizing {

  private static final double SAFETY = 2;
  private static final double MARGIN = 2;

  /** {@link #peak} halves in this time, or in that many targets if they are longer. */
  private static final double SHORTEST_HALF_LIFE = Duration.ofMinutes(2).toNanos();

  private static final double HALF_LIFE_IN_TARGETS = 16;

  private final BatchSizes limits;
  private final Duration target;
  private final Scheduler clock;
  private final LongSupplier issued;
  private final LongSupplier unmetDemand;

  /** The time of the latest {@link #count}. */
  private long countedAt;

  /** The demand since the start, at the latest {@link #count}. */
  private long totalDemand;

  /** The same when the current reservation became due. */
  private long demandWhenDue;

  private double peak;
  private double recent;

  private volatile long batchSize;
  private volatile long lowWatermark;

  /**
   * Creates the sizes of a generator.
   *
   * @param limits the smallest block and the largest reservation
   * @param target the time whose demand the buffer is to hold
   * @param issued gives the values issued so far
   * @param unmetDemand gives what the subscribers in line have requested and not received
   */
  AdaptiveSizing(
      BatchSizes limits,
      Duration target,
      Scheduler clock,
      LongSupplier issued,
      LongSupplier unmetDemand) {
    this.limits = limits;
    this.target = target;
    this.clock = clock;
    this.issued = issued;
    this.unmetDemand = unmetDemand;
    this.countedAt = clock.now(TimeUnit.NANOSECONDS);
    resize();
  }

  @Override
  public long batchSize() {
    return batchSize;
  }

  @Override
  public long lowWatermark() {
    return lowWatermark;
  }

  @Override
  public void due() {
    long unmet = unmetDemand.getAsLong();
    long given = issued.getAsLong();
    count(given, unmet);
    resize();
    totalDemand = totalDemand(given, unmet); // again, with the sizes that hold until the answer
    demandWhenDue = totalDemand;
  }

  @Override
  public long next(long unmet, long buffered) {
    long missing = batchSize + Math.max(0, lowWatermark - buffered);
    return Math.min(limits.maxBatchSize(), Operators.addCap(missing, bounded(unmet)));
  }

  @Override
  public void answered() {
    long unmet = unmetDemand.getAsLong();
    count(issued.getAsLong(), unmet);
    if (unmet != Long.MAX_VALUE) {
      long demand = totalDemand - demandWhenDue;
      peak = Math.min(limits.maxBatchSize() / SAFETY, Math.max(peak, demand));
    } // else the demand is unbounded, and no watermark is enough for it
    resize();
  }

  /** Adds the demand since the latest call, taken as evenly spread, and fades older demand. */
  private void count(long given, long unmet) {
    long now = clock.now(TimeUnit.NANOSECONDS);
    long total = totalDemand(given, unmet);
    double elapsed = Math.max(0, now - countedAt);
    double more = Math.max(0, total - totalDemand); // a waiter that cancels takes its demand back
    double targetNanos = target.toNanos();
    double halfLife = Math.max(SHORTEST_HALF_LIFE, HALF_LIFE_IN_TARGETS * targetNanos);
    double targets = elapsed / targetNanos;
    double evenly = targets == 0 ? 1 : -Math.expm1(-targets) / targets;
    recent = Math.min(2.0 * limits.maxBatchSize(), recent * Math.exp(-targets) + more * evenly);
    peak *= Math.pow(2, -elapsed / halfLife);
    countedAt = now;
    totalDemand = total;
  }

  private long totalDemand(long given, long unmet) {
    return Operators.addCap(given, bounded(unmet));
  }

  private void resize() {
    double watermark = Math.rint(SAFETY * peak) + MARGIN;
    double level = Math.max(recent, 2 * watermark + 1);
    double wanted = Math.max(limits.batchSize(), Math.ceil(level - watermark));
    long size = (long) Math.min(limits.maxBatchSize(), wanted);
    batchSize = size;
    lowWatermark = (long) Math.min(size - 1, watermark);
  }

  /** Counts an unbounded demand as a full buffer, which grows with each reservation. */
  private long bounded(long demand) {
    return demand == Long.MAX_VALUE ? batchSize + lowWatermark : demand;
  }
}
