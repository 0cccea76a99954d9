package io.millrace.r2dbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The classes whose values may be sent in arrays, so that a column accepts and converts an element
 * as it would the value alone.
 *
 * @param byClass the name of the elements' type for each class that the driver encodes in an array.
 *     The driver declares a single value to be of just this type
 * @param elements the classes of other values that the driver declares to be of one type, which is
 *     not an array itself: PostgreSQL flattens arrays of arrays
 */
public record ArrayTypes(Map<Class<?>, String> byClass, Predicate<Class<?>> elements) {

  /** No arrays. */
  public static final ArrayTypes NONE = new ArrayTypes(Map.of(), any -> false);

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
              Map.entry(Instant.class, "timestamptz")),
          any ->
              any == byte[].class
                  || any.isEnum()
                  || ByteBuffer.class.isAssignableFrom(any)
                  || (!any.isArray() // whose package is that of its elements
                      && any.getPackageName().equals("io.r2dbc.postgresql.codec")));
}
