package io.millrace.r2dbc;

import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.Type;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The value of a column to write, as the driver accepts it. A null is a {@link Parameter} that has
 * the class of the column's values.
 */
final class InsertValue {

  private static final long NULL_BYTES = 1;
  private static final long OTHER_BYTES = 8;

  private InsertValue() {}

  static Object of(@Nullable Object value, Class<?> type) {
    return value == null ? Parameters.in(type) : value;
  }

  /**
   * Whether the value is a text or a number, as most are. A test for a class is fast; one for an
   * interface, which they do not implement, is not.
   */
  private static boolean isPlain(Object value) {
    return value instanceof String || value instanceof Number;
  }

  /** The class that the column's values have if this one is null; null if it is a value. */
  static @Nullable Class<?> typeOfNull(Object value) {
    return !isPlain(value)
            && value instanceof Parameter empty
            && !(value instanceof Parameter.Out)
            && empty.getValue() == null
            && empty.getType() instanceof Type.InferredType inferred
        ? inferred.getJavaType()
        : null;
  }

  /** The value itself, without the database type of a {@link Parameter}. */
  static @Nullable Object content(Object value) {
    return !isPlain(value) && value instanceof Parameter typed ? typed.getValue() : value;
  }

  /** The class to read the value back as. */
  static Class<?> contentType(Object value) {
    Object content = content(value);
    Class<?> ofNull = typeOfNull(value);
    return content != null ? content.getClass() : ofNull != null ? ofNull : Object.class;
  }

  /** The value to bind, which is not null. A buffer is duplicated, because a driver reads it. */
  static Object bindable(Object value) {
    if (isPlain(value)) {
      return value;
    }
    if (value instanceof ByteBuffer buffer) {
      return buffer.duplicate();
    }
    return value instanceof Parameter typed && typed.getValue() instanceof ByteBuffer buffer
        ? Parameters.in(typed.getType(), buffer.duplicate())
        : value;
  }

  /** The approximate size in a request. */
  static long bytes(Object value) {
    if (isPlain(value)) {
      return value instanceof String text ? text.length() : OTHER_BYTES;
    }
    Object content = content(value);
    if (content == null) {
      return NULL_BYTES;
    }
    if (content instanceof CharSequence text) {
      return text.length();
    }
    if (content instanceof byte[] bytes) {
      return bytes.length;
    }
    return content instanceof ByteBuffer buffer ? buffer.remaining() : OTHER_BYTES;
  }
}
