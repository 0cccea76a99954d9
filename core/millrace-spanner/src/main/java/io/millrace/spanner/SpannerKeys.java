package io.millrace.spanner;

import com.google.cloud.ByteArray;
import com.google.cloud.Date;
import com.google.cloud.spanner.Key;
import io.millrace.key.CompositeKey;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/** Converts keys of {@code io.millrace.key} to those of the Spanner client. */
public final class SpannerKeys {

  private SpannerKeys() {}

  /**
   * Returns the client's key of a row, for reading or deleting the row.
   *
   * <p>Times keep their nanoseconds, and must be equal to be found. If a column is less precise, as
   * PostgreSQL's {@code timestamptz} with microseconds, truncate the row's times first: see {@link
   * Instant#truncatedTo}.
   *
   * @param key the table's key
   * @return the values of the key's columns, in order
   * @throws io.millrace.key.KeyFormatException as {@link CompositeKey#apply}
   */
  public static <T> Key toKey(CompositeKey<T> key, T row) {
    List<Object> values = Objects.requireNonNull(key, "key").apply(row);
    Key.Builder builder = Key.newBuilder();
    for (Object value : values) {
      builder.appendObject(toClient(value));
    }
    return builder.build();
  }

  private static Object toClient(Object value) {
    if (value instanceof Instant time) {
      return Instants.toTimestamp(time);
    }
    if (value instanceof LocalDate date) {
      return Date.fromYearMonthDay(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
    }
    return value instanceof byte[] bytes ? ByteArray.copyFrom(bytes) : value;
  }
}
