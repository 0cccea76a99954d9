package io.millrace.r2dbc;

import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of a column to write.
 *
 * @param type the class of the value; for null, the class that the column's values have
 */
record InsertValue(@Nullable Object value, Class<?> type) {

  private static final long NULL_BYTES = 1;
  private static final long OTHER_BYTES = 8;

  /**
   * Whether the value is a text or a number, as most are. A test for a class is fast; one for an
   * interface, which they do not implement, is not.
   */
  private boolean isPlain() {
    return value instanceof String || value instanceof Number;
  }

  /** The value itself, without the database type of a {@link Parameter}. */
  @Nullable Object content() {
    return !isPlain() && value instanceof Parameter typed ? typed.getValue() : value;
  }

  /** The class to read the value back as. */
  Class<?> contentType() {
    Object content = content();
    return content == null ? type : content.getClass();
  }

  /** The value to bind, which is not null. A buffer is duplicated, because a driver reads it. */
  Object bindable() {
    Object present = Objects.requireNonNull(value, "value");
    if (isPlain()) {
      return present;
    }
    if (present instanceof ByteBuffer buffer) {
      return buffer.duplicate();
    }
    return present instanceof Parameter typed && typed.getValue() instanceof ByteBuffer buffer
        ? Parameters.in(typed.getType(), buffer.duplicate())
        : present;
  }

  /** The approximate size in a request. */
  long bytes() {
    if (isPlain()) {
      return value instanceof String text ? text.length() : OTHER_BYTES;
    }
    Object content = content();
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
