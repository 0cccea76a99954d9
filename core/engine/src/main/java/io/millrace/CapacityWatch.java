package io.millrace;

import java.time.Instant;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Knows how many values a sequence has left, from the blocks that the store returned. Changed by
 * the drain loop only, once for each reservation; read by any thread.
 *
 * <p>The rate is measured from a block 12 to 24 hours ago, or from the first one. A younger
 * generator than 10 minutes has no rate, because one block says little.
 */
final class CapacityWatch {

  private static final Logger LOG = Loggers.getLogger(CapacityAlarm.class);

  static final long SHORTEST_NANOS = TimeUnit.MINUTES.toNanos(10);
  static final long HALF_WINDOW_NANOS = TimeUnit.HOURS.toNanos(12);

  /** What is left after the latest block, and the alarm that is on, or null. */
  record Left(long values, OptionalDouble share, CapacityAlarm.@Nullable Event alarm) {}

  /** The end of a block, and when it came. */
  record Mark(long last, long nanos) {}

  private final GeneratorConfig config;
  private final boolean known;

  /** The largest value that the sequence can have. */
  private final long end;

  /** How many values the range has; 0 if the range is unknown. */
  private final double total;

  /** The distance of the values in the latest block of more than one. */
  private long step = 1;

  /** The end of the latest block; null before the first. */
  private @Nullable Mark latest;

  /** The rate is measured from {@code older}; {@code newer} replaces it after half a window. */
  private @Nullable Mark older;

  private @Nullable Mark newer;

  /** Written by the drain loop. */
  private boolean throwLogged;

  /** Null while it is not known what is left. Written by the drain loop. */
  private volatile @Nullable Left left;

  CapacityWatch(GeneratorConfig config) {
    this.config = config;
    this.known = config.store().isOrdered();
    this.end = Math.min(config.maxValue().value(), SequenceState.LARGEST_VALUE);
    this.total = config.firstValue() <= end ? (double) end - (double) config.firstValue() + 1 : 0;
  }

  /** What is left; null while it is not known. */
  @Nullable Left left() {
    return left;
  }

  /** A block was obtained, of which these values are used. */
  void reserved(SequenceBlock usable) {
    if (!known) {
      return;
    }
    if (usable.step() == 0) {
      left = null;
      return;
    }
    if (usable.size() > 1) {
      step = usable.step();
    }
    seenSafely(usable.last());
  }

  /** The sequence has no block left. */
  void exhausted(SequenceExhaustedException failure) {
    Mark before = latest;
    long next = failure.nextValue();
    if (known && next != Long.MIN_VALUE && (before == null || next - 1 > before.last())) {
      seenSafely(Math.min(next - 1, end));
    }
  }

  /** Whatever is thrown, by a clock for example: the values of the block must be issued. */
  private void seenSafely(long last) {
    try {
      seen(last);
    } catch (Throwable thrown) {
      if (!throwLogged) {
        throwLogged = true;
        LOG.warn("It is not known how many values are left; this is logged once", thrown);
      }
    }
  }

  private void seen(long last) {
    Mark mark = new Mark(last, config.scheduler().now(TimeUnit.NANOSECONDS));
    latest = mark;
    OptionalDouble rate = rate(mark);
    long values = above(last) / step;
    OptionalDouble share =
        total == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1, above(last) / total));
    Left before = left;
    CapacityAlarm.Event alarm = before == null ? null : before.alarm();
    boolean low = config.alarm().isOn(values, share, rate, alarm != null);
    if (low == (alarm != null)) {
      left = new Left(values, share, alarm);
      return;
    }
    CapacityAlarm.Event change =
        new CapacityAlarm.Event(
            config.sequence(), low, values, share, rate, config.maxValue(), now());
    left = new Left(values, share, low ? change : null);
    announce(change);
  }

  /** The numbers above a value; {@link Long#MAX_VALUE} if there are more. */
  private long above(long last) {
    long difference = end - last;
    return last < 0 && end >= 0 && difference < 0 ? Long.MAX_VALUE : Math.max(0, difference);
  }

  private Instant now() {
    return Instant.ofEpochMilli(config.scheduler().now(TimeUnit.MILLISECONDS));
  }

  private OptionalDouble rate(Mark now) {
    Mark from = older;
    Mark next = newer;
    if (from == null || next == null) {
      older = now;
      newer = now;
      return OptionalDouble.empty();
    }
    if (now.nanos() - next.nanos() >= HALF_WINDOW_NANOS) {
      older = next;
      newer = now;
    }
    long nanos = now.nanos() - from.nanos();
    return nanos < SHORTEST_NANOS
        ? OptionalDouble.empty()
        : OptionalDouble.of(((double) now.last() - from.last()) / step / nanos * 1e9);
  }

  private void announce(CapacityAlarm.Event change) {
    if (change.low()) {
      LOG.warn(change.message());
    } else {
      LOG.info(change.message());
    }
    config.metrics().capacityChanged(change);
    try {
      Detached.run(() -> config.alarm().tell(change));
    } catch (Throwable thrown) {
      LOG.warn("The listener of a capacity alarm threw", thrown);
    }
  }
}
