package io.millrace.r2dbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The classes whose values may be sent as the elements of an array, and the database's type for
 * each. The driver declares a single value of the class to be of just this type, so a column
 * accepts and converts an element as it would the value alone. Other classes, such as {@code
 * byte[]}, are not here, because their form in an array is another one or depends on the column.
 *
 * @param byClass the name of the type for each class; empty if rows are not sent as arrays
 */
record ArrayTypes(Map<Class<?>, String> byClass) {

  static final ArrayTypes NONE = new ArrayTypes(Map.of());

  /** Those of r2dbc-postgresql. */
  static final ArrayTypes POSTGRESQL =
      new ArrayTypes(
          Map.ofEntries(
              Map.entry(Short.class, "smallint"),
              Map.entry(Integer.class, "integer"),
              Map.entry(Long.class, "bigint"),
              Map.entry(BigInteger.class, "numeric"),
              Map.entry(BigDecimal.class, "numeric"),
              Map.entry(Float.class, "real"),
              Map.entry(Double.class, "double precision"),
              Map.entry(Boolean.class, "boolean"),
              Map.entry(String.class, "varchar"),
              Map.entry(UUID.class, "uuid"),
              Map.entry(LocalDate.class, "date"),
              Map.entry(LocalTime.class, "time"),
              Map.entry(OffsetTime.class, "timetz"),
              Map.entry(LocalDateTime.class, "timestamp"),
              Map.entry(OffsetDateTime.class, "timestamptz"),
              Map.entry(ZonedDateTime.class, "timestamptz"),
              Map.entry(Instant.class, "timestamptz")));

  /** The type of an element; null if values of the class are not sent in arrays. */
  @Nullable String of(Class<?> valueClass) {
    return byClass.get(valueClass);
  }
}
