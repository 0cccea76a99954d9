package io.millrace.r2dbc;

import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Type;
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

/**
 * The values of columns: as a driver accepts them, and compared with those that a database returns.
 * A null to write is a {@link Parameter} that has the class of the column's values.
 */
final class ColumnValues {

  private static final long NULL_BYTES = 1;
  private static final long OTHER_BYTES = 8;

  /** Databases keep microseconds, rounded or truncated. */
  private static final long TIME_PRECISION_NANOS = 1_000;

  private ColumnValues() {}

  static Object of(@Nullable Object value, Class<?> type) {
    return value == null ? Parameters.in(type) : value;
  }

  /** The class that the column's values have if this one is null; null if it is a value. */
  static @Nullable Class<?> typeOfNull(Object value) {
    return value instanceof Parameter empty
            && !(value instanceof Parameter.Out)
            && empty.getValue() == null
            && empty.getType() instanceof Type.InferredType inferred
        ? inferred.getJavaType()
        : null;
  }

  /** The value itself, without the database type of a {@link Parameter}. */
  static @Nullable Object content(Object value) {
    return value instanceof Parameter typed ? typed.getValue() : value;
  }

  /** The value to bind, which is not null. A buffer is duplicated, because a driver reads it. */
  static Object bindable(Object value) {
    if (value instanceof ByteBuffer buffer) {
      return buffer.duplicate();
    }
    return value instanceof Parameter typed && typed.getValue() instanceof ByteBuffer buffer
        ? Parameters.in(typed.getType(), buffer.duplicate())
        : value;
  }

  /** The approximate size in a request. */
  static long bytes(Object value) {
    Object content = content(value);
    if (content instanceof CharSequence text) {
      return text.length();
    }
    if (content instanceof byte[] bytes) {
      return bytes.length;
    }
    if (content instanceof ByteBuffer buffer) {
      return buffer.remaining();
    }
    return content == null ? NULL_BYTES : OTHER_BYTES;
  }

  /**
   * Reads a column as the type that was written, or as the driver's own type if it cannot. Every
   * driver returns {@code byte[]}, and r2dbc-mariadb no {@code ByteBuffer}.
   */
  static @Nullable Object read(Readable row, int index, Object sent) {
    Object content = content(sent);
    Class<?> ofNull = typeOfNull(sent);
    Class<?> type = content != null ? content.getClass() : ofNull != null ? ofNull : Object.class;
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
