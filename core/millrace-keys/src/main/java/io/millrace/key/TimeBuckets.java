package io.millrace.key;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * Spreads times over buckets that precede the time in the key: {@code bucket = timestamp %
 * numBuckets}, {@code [bucket][timestamp][hostname][log-event]} of the guide "Design primary keys
 * for Lindorm wide tables". Rows of one time step share a bucket; those of the next step are in the
 * next one. A range of times is read from all buckets and merged.
 *
 * <p>Steps before 1970 also begin at their earliest instant, and buckets are never negative ({@link
 * Math#floorDiv(long, long)} and {@link Math#floorMod(long, long)}). The server's expressions for
 * 16 buckets of a second each, in GoogleSQL and in PostgreSQL:
 *
 * <pre>{@code
 * MOD(MOD(UNIX_SECONDS(ts), 16) + 16, 16)
 * mod(mod(floor(extract(epoch from ts))::bigint, 16) + 16, 16)
 * }</pre>
 */
public final class TimeBuckets implements KeyFunction<Instant, Long> {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long count;
  private final Duration step;

  private TimeBuckets(long count, Duration step) {
    this.count = count;
    this.step = step;
  }

  /**
   * Creates buckets for timestamps in a unit.
   *
   * @param count the number of buckets, from 1 to 2147483648
   * @param unit the unit of the timestamps, from {@link ChronoUnit#NANOS} to {@link
   *     ChronoUnit#DAYS} of 24 hours
   * @throws IllegalArgumentException if {@code count} or {@code unit} is out of range
   */
  public static TimeBuckets of(long count, ChronoUnit unit) {
    if (Objects.requireNonNull(unit, "unit").compareTo(ChronoUnit.DAYS) > 0) {
      throw new IllegalArgumentException("unit must be from Nanos to Days, was " + unit);
    }
    return of(count, unit.getDuration());
  }

  /**
   * Creates buckets for steps of any length.
   *
   * @param count the number of buckets, from 1 to 2147483648
   * @param step the time for which a bucket is filled: whole seconds, or a duration that divides a
   *     second
   * @throws IllegalArgumentException if {@code count} is out of range, or {@code step} is not such
   *     a duration
   */
  public static TimeBuckets of(long count, Duration step) {
    Counts.require("buckets", count);
    Objects.requireNonNull(step, "step");
    boolean wholeSeconds = step.getSeconds() > 0 && step.getNano() == 0;
    boolean partOfSecond =
        step.getSeconds() == 0 && step.getNano() > 0 && NANOS_PER_SECOND % step.getNano() == 0;
    if (!wholeSeconds && !partOfSecond) {
      throw new IllegalArgumentException(
          "step must be whole seconds, or divide a second, was " + step);
    }
    return new TimeBuckets(count, step);
  }

  /**
   * Returns the bucket of a time.
   *
   * @param key any time
   * @return the bucket, from 0 to {@code count() - 1}
   * @throws KeyFormatException if {@code key} is null
   */
  @Override
  public Long apply(Instant key) {
    long second = NullKeys.refuse(key).getEpochSecond();
    if (step.getSeconds() > 0) {
      return bucketOf(Math.floorDiv(second, step.getSeconds()));
    }
    long stepsPerSecond = NANOS_PER_SECOND / step.getNano();
    // The remainder is also taken before the product, which a late time would overflow.
    return bucketOf(bucketOf(second) * stepsPerSecond + key.getNano() / step.getNano());
  }

  /**
   * Returns the bucket of a numeric timestamp.
   *
   * @param timestamp steps since 1970-01-01T00:00:00Z, rounded down
   * @return the bucket, from 0 to {@code count() - 1}
   */
  public long bucketOf(long timestamp) {
    return Math.floorMod(timestamp, count);
  }

  /** {@return the number of buckets} */
  public long count() {
    return count;
  }

  /** {@return the buckets from 0 to {@code count() - 1}, for reads over all of them} */
  public LongStream values() {
    return LongStream.range(0, count);
  }

  @Override
  public String toString() {
    return "TimeBuckets[count=" + count + ", step=" + step + "]";
  }
}
