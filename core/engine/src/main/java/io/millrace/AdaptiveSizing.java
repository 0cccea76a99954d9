package io.millrace;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Sizes that follow the use, from two counts of the values that were asked for.
 *
 * <p>{@link #peak} is the most that was asked for while a reservation was under way. It sets the
 * low watermark: twice that, so that neither a rate nor a latency that doubles between one
 * reservation and the next makes anybody wait, and 2 more, since small counts vary the most. A
 * greater count is believed at once, and forgotten slowly.
 *
 * <p>{@link #recent} is what was asked for in the latest time of length {@code target}, older use
 * fading. It sets the level that a reservation fills the buffer up to, and so what a death of the
 * process costs. The level is more only where the watermark needs that: a block is larger than the
 * watermark, or reservations could not keep up.
 *
 * <p>Neither is ever more than makes the sizes the largest there may be: more would change nothing
 * but the time to forget it.
 *
 * <p>(Source of the watermark: Google, "Sequence generation in Spanner"; of ordering up to a level
 * from a reorder point on: the (s, S) policy of inventory theory.)
 */
final class AdaptiveSizing implements BatchSizing {

  private static final double SAFETY = 2;
  private static final double MARGIN = 2;

  /** The time in which {@link #peak} fades to a half: no less than this, and so many targets. */
  private static final double SHORTEST_HALF_LIFE = Duration.ofMinutes(2).toNanos();

  private static final double HALF_LIFE_IN_TARGETS = 16;

  private final long min;
  private final long max;
  private final double targetNanos;
  private final double halfLifeNanos;
  private final Scheduler clock;
  private final Supplier<SequenceGeneratorSnapshot> generator;

  /** The time of the latest look at the counts, and what was asked for until then. */
  private long lookedAt;

  private long asked;
  private long askedWhenDue;

  private double peak;
  private double recent;

  private volatile long batchSize;
  private volatile long lowWatermark;

  /**
   * Sizes for a generator.
   *
   * @param generator tells what is issued so far, and what those who wait have asked for
   */
  AdaptiveSizing(
      long min,
      long max,
      Duration target,
      Scheduler clock,
      Supplier<SequenceGeneratorSnapshot> generator) {
    this.min = min;
    this.max = max;
    this.targetNanos = target.toNanos();
    this.halfLifeNanos = Math.max(SHORTEST_HALF_LIFE, HALF_LIFE_IN_TARGETS * targetNanos);
    this.clock = clock;
    this.generator = generator;
    this.lookedAt = clock.now(TimeUnit.NANOSECONDS);
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
    SequenceGeneratorSnapshot counts = generator.get();
    look(counts);
    resize();
    asked = asked(counts); // with the sizes there will be at the answer, if without bound
    askedWhenDue = asked;
  }

  @Override
  public long next(long unmet, long buffered) {
    long lacking = batchSize + Math.max(0, lowWatermark - buffered);
    return Math.min(max, Operators.addCap(lacking, countable(unmet)));
  }

  @Override
  public void answered() {
    SequenceGeneratorSnapshot counts = generator.get();
    look(counts);
    if (counts.unmetDemand() != Long.MAX_VALUE) {
      peak = Math.min(max / SAFETY, Math.max(peak, asked - askedWhenDue));
    } // else somebody took what there was, however much: no watermark is enough for that
    resize();
  }

  /** Counts what was asked for since the latest look, as if evenly, and lets older use fade. */
  private void look(SequenceGeneratorSnapshot counts) {
    long now = clock.now(TimeUnit.NANOSECONDS);
    long total = asked(counts);
    double elapsed = Math.max(0, now - lookedAt);
    double more = Math.max(0, total - asked); // those who left take back what they asked for
    double targets = elapsed / targetNanos;
    double evenly = targets == 0 ? 1 : -Math.expm1(-targets) / targets;
    recent = Math.min(2.0 * max, recent * Math.exp(-targets) + more * evenly);
    peak *= Math.pow(2, -elapsed / halfLifeNanos);
    lookedAt = now;
    asked = total;
  }

  private long asked(SequenceGeneratorSnapshot counts) {
    return Operators.addCap(counts.issued(), countable(counts.unmetDemand()));
  }

  private void resize() {
    double watermark = Math.rint(SAFETY * peak) + MARGIN;
    double level = Math.max(recent, 2 * watermark + 1);
    long size = (long) Math.min(max, Math.max(min, Math.ceil(level - watermark)));
    batchSize = size;
    lowWatermark = (long) Math.min(size - 1, watermark);
  }

  /** Who asks without bound gets as much again as there is room for, and so more each time. */
  private long countable(long demand) {
    return demand == Long.MAX_VALUE ? batchSize + lowWatermark : demand;
  }
}
