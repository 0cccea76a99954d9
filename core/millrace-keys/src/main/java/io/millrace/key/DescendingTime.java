package io.millrace.key;

import java.time.Instant;

/**
 * Encodes a time as a number that decreases over time, so the newest row sorts first in a store
 * that only sorts keys in ascending order. The number is {@code Long.MAX_VALUE - t}, where {@code
 * t} is the time since 1970-01-01T00:00:00Z in the constant's unit. If the schema supports {@code
 * DESC}, as in Spanner, that is simpler.
 *
 * <p>The values are from 10<sup>18</sup> to {@link Long#MAX_VALUE}, all of 19 decimal digits, so
 * they sort in the same order as numbers, as decimal text and as 8 big-endian bytes. A time outside
 * that range, such as one before 1970, is rejected.
 *
 * <p>A time that is finer than the unit is rejected as well, since it could not be decoded. {@link
 * Instant#now()} returns such times on most systems: use {@link #truncating()}.
 */
public enum DescendingTime implements KeyCodec<Instant, Long> {

  /** Counts milliseconds, until the year 260590256. */
  MILLIS(1_000),

  /** Counts microseconds, until the year 262558. */
  MICROS(1_000_000),

  /** Counts nanoseconds, until 2230-08-03T22:00:36.854775807Z. */
  NANOS(1_000_000_000);

  private static final long SMALLEST = 1_000_000_000_000_000_000L;

  private final long unitsPerSecond;
  private final long nanosPerUnit;
  private final Instant latest;

  DescendingTime(long unitsPerSecond) {
    this.unitsPerSecond = unitsPerSecond;
    this.nanosPerUnit = 1_000_000_000 / unitsPerSecond;
    this.latest = timeOf(Long.MAX_VALUE - SMALLEST);
  }

  private Instant timeOf(long units) {
    return Instant.ofEpochSecond(units / unitsPerSecond, units % unitsPerSecond * nanosPerUnit);
  }

  /**
   * Encodes a time.
   *
   * @return a number, smaller for later times
   * @throws KeyFormatException if {@code key} is null, out of range or finer than the unit
   */
  @Override
  public Long apply(Instant key) {
    if (NullKeys.refuse(key).isBefore(Instant.EPOCH) || key.isAfter(latest)) {
      throw new KeyFormatException(
          "time must be from " + Instant.EPOCH + " to " + latest + ", was " + key);
    }
    if (key.getNano() % nanosPerUnit != 0) {
      throw new KeyFormatException(
          ("time must be whole " + name() + ", was " + key)
              + ("; " + name() + ".truncating() cuts it off"));
    }
    return Long.MAX_VALUE - (key.getEpochSecond() * unitsPerSecond + key.getNano() / nanosPerUnit);
  }

  /**
   * Returns a function that truncates times to the unit, as {@link Instant#truncatedTo} does:
   * {@code DescendingTime.MICROS.truncating().apply(Instant.now())}. Times within one unit have the
   * same number, and {@link #decode} returns the truncated time.
   *
   * @return a function that rejects null and times out of range, as {@link #apply} does
   */
  public KeyFunction<Instant, Long> truncating() {
    return key -> apply(NullKeys.refuse(key).minusNanos(key.getNano() % nanosPerUnit));
  }

  @Override
  public Instant decode(Long value) {
    if (NullKeys.refuse(value) < SMALLEST) {
      throw new KeyFormatException(
          "value must be from " + SMALLEST + " to " + Long.MAX_VALUE + ", was " + value);
    }
    return timeOf(Long.MAX_VALUE - value);
  }
}
