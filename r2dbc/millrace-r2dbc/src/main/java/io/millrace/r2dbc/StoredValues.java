package io.millrace.r2dbc;

import io.r2dbc.spi.Readable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares values that were sent with the values that a database returns. */
final class StoredValues {

  /** Databases keep microseconds, rounded or truncated. */
  private static final long TIME_PRECISION_NANOS = 1_000;

  private StoredValues() {}

  /**
   * Reads a column as the type that was written, or as the driver's own type if it cannot. Every
   * driver returns {@code byte[]}, and r2dbc-mariadb no {@code ByteBuffer}.
   */
  static @Nullable Object read(Readable row, int index, Class<?> type) {
    Class<?> wanted = ByteBuffer.class.isAssignableFrom(type) ? byte[].class : type;
    try {
      return row.get(index, wanted);
    } catch (RuntimeException unsupportedType) {
      return row.get(index);
    }
  }

  /** Converts a value to a form whose {@code equals} agrees with the database's equality. */
  static Object comparable(Object value) {
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return BigDecimal.valueOf(((Number) value).longValue()).stripTrailingZeros();
    }
    return value instanceof BigDecimal number ? number.stripTrailingZeros() : value;
  }

  /** Whether the value found is the value sent, within the precision of a database. */
  static boolean isSame(@Nullable Object sent, @Nullable Object found) {
    if (sent == null || found == null) {
      return sent == found;
    }
    if (sent instanceof Temporal from && found instanceof Temporal to) {
      return isSameTime(instant(from), instant(to)) || sent.equals(found);
    }
    return Objects.deepEquals(comparable(sent), comparable(found));
  }

  private static boolean isSameTime(@Nullable Temporal sent, @Nullable Temporal found) {
    return sent != null
        && found != null
        && sent.getClass() == found.getClass()
        && Math.abs(ChronoUnit.SECONDS.between(sent, found)) <= 1
        && Math.abs(ChronoUnit.NANOS.between(sent, found)) < TIME_PRECISION_NANOS;
  }

  /** Converts a time to a type with differences in nanoseconds; null for a date, for example. */
  private static @Nullable Temporal instant(Temporal time) {
    if (time instanceof Instant || time instanceof LocalTime) {
      return time;
    }
    if (time instanceof LocalDateTime local) {
      return local.toInstant(ZoneOffset.UTC);
    }
    if (time instanceof OffsetDateTime offset) {
      return offset.toInstant();
    }
    if (time instanceof OffsetTime offset) {
      return offset.withOffsetSameInstant(ZoneOffset.UTC).toLocalTime();
    }
    return time instanceof ZonedDateTime zoned ? zoned.toInstant() : null;
  }
}
