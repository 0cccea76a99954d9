package io.millrace.key;

import io.millrace.internal.LogSafe;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One part of a composite key: its column, and how to read its value from a row. */
record KeyPart<T>(
    CompositeKey.Column column, Function<? super T, ? extends @Nullable Object> reader) {

  /** Reads the part's value, in the type that a key holds it in. */
  Object read(T row) {
    Object value = reader.apply(row);
    if (value == null) {
      throw new KeyFormatException(what() + " must not be null");
    }
    if (value instanceof Integer number) {
      return number.longValue();
    }
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    if (value instanceof UUID uuid) {
      return uuid.toString();
    }
    if (value instanceof Instant time) {
      return ServerCalendar.require(what(), time);
    }
    if (value instanceof LocalDate date) {
      return ServerCalendar.require(what(), date);
    }
    if (value instanceof Long || value instanceof Boolean || value instanceof String) {
      return value;
    }
    throw new KeyFormatException(
        what()
            + " must be a Long, Integer, String, byte[], Boolean, Instant, LocalDate or UUID, was a "
            + value.getClass().getName());
  }

  /** Counts the bytes that Spanner counts for a value that {@link #read} gave. */
  long bytes(Object value) {
    if (value instanceof String text) {
      return KeyText.utf8Length(what(), text);
    }
    if (value instanceof byte[] bytes) {
      return bytes.length;
    }
    if (value instanceof Instant) {
      return 12;
    }
    if (value instanceof LocalDate) {
      return 4;
    }
    return value instanceof Boolean ? 1 : Long.BYTES;
  }

  private String what() {
    return "part " + LogSafe.name(column.name()) + " of the key";
  }
}
