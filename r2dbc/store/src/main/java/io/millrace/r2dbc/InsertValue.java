package io.millrace.r2dbc;

import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of a column that is to be written.
 *
 * @param type the class of the value, or of the values that could stand where there is none
 */
record InsertValue(@Nullable Object value, Class<?> type) {

  private static final long NULL_BYTES = 1;
  private static final long OTHER_BYTES = 8;

  /** The value itself, where it comes with a type of the database. */
  @Nullable Object content() {
    return value instanceof Parameter typed ? typed.getValue() : value;
  }

  /** The class in which the value is to be read back. */
  Class<?> contentType() {
    Object content = content();
    return content == null ? type : content.getClass();
  }

  /** The value, where there is one, for a driver: it may read a buffer to its end. */
  Object present() {
    Object present = Objects.requireNonNull(value, "value");
    if (present instanceof ByteBuffer buffer) {
      return buffer.duplicate();
    }
    return present instanceof Parameter typed && typed.getValue() instanceof ByteBuffer buffer
        ? Parameters.in(typed.getType(), buffer.duplicate())
        : present;
  }

  /** About what it takes in a request. */
  long bytes() {
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
