package io.millrace.key;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;
import java.util.function.Function;

/**
 * Encodes a value as the bytes that a {@link KeyHash} reads.
 *
 * <p>The encoders here return the UTF-8 bytes of Spanner's text for a column {@code x} of the type:
 * {@code CAST(x AS STRING)} in GoogleSQL, {@code CAST(x AS varchar)} in PostgreSQL. Both dialects
 * print the same text, unlike PostgreSQL itself, as compared on Spanner's emulator. Therefore,
 * {@code KeyHash.FARM_FINGERPRINT.toLong(encoder.encode(value))} equals {@code
 * FARM_FINGERPRINT(CAST(x AS STRING))} and {@code spanner.farm_fingerprint(CAST(x AS varchar))}.
 *
 * <p>Encoders are immutable and thread-safe, do not block, and reject null.
 */
@FunctionalInterface
public interface KeyEncoder<T> {

  /**
   * Encodes a value.
   *
   * @return its bytes, not to be changed
   * @throws KeyFormatException if {@code value} is null, or cannot be encoded
   */
  byte[] encode(T value);

  /**
   * Returns an encoder of objects from which a value is read, such as rows: {@code
   * KeyEncoder.string().from(Order::customer)}.
   *
   * @param reader reads the value to encode; null is rejected
   * @return an encoder that applies {@code reader}, then this encoder
   */
  default <S> KeyEncoder<S> from(Function<? super S, ? extends T> reader) {
    Objects.requireNonNull(reader, "reader");
    return source -> encode(NullKeys.refuse(reader.apply(NullKeys.refuse(source))));
  }

  /**
   * Encodes a string as UTF-8: a column of the type {@code STRING} or {@code varchar}, which needs
   * no cast. Rejects an unpaired surrogate, which {@link String#getBytes} would encode as a
   * question mark. The empty string has no bytes.
   */
  static KeyEncoder<String> string() {
    return value -> {
      KeyText.utf8Length("string", NullKeys.refuse(value));
      return value.getBytes(UTF_8);
    };
  }

  /**
   * Returns bytes unchanged: a column of the type {@code BYTES} or {@code bytea}, whose fingerprint
   * the server computes without a cast.
   *
   * @return the encoder; it returns its argument, not a copy
   */
  static KeyEncoder<byte[]> bytes() {
    return NullKeys::refuse;
  }

  /**
   * Encodes a number in decimal digits, with a minus sign if it is negative: a column of the type
   * {@code INT64} or {@code bigint}.
   */
  static KeyEncoder<Long> int64() {
    return value -> ascii(Long.toString(NullKeys.refuse(value)));
  }

  /**
   * Encodes {@code true} or {@code false}: a column of the type {@code BOOL} or {@code boolean}.
   */
  static KeyEncoder<Boolean> bool() {
    return value -> ascii(Boolean.toString(NullKeys.refuse(value)));
  }

  /**
   * Encodes a date from 0001-01-01 to 9999-12-31, in that form: a column of the type {@code DATE}
   * or {@code date}.
   */
  static KeyEncoder<LocalDate> date() {
    return value -> ascii(ServerCalendar.require("a date", NullKeys.refuse(value)).toString());
  }

  /**
   * Encodes a point in time from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z: a column
   * of the type {@code TIMESTAMP} or {@code timestamptz}. In the zone America/Los_Angeles, {@code
   * 2020-07-01T00:00:00.12Z} is {@code 2020-06-30 17:00:00.120-07}. A fraction has 3, 6 or 9
   * digits, as few as possible, and none if it is zero. The offset has minutes unless they are
   * zero. The seconds of 19th-century offsets are omitted from the offset and from the time: {@code
   * 1883-01-01T00:00:00Z} is {@code 1882-12-31 16:08:00-07:52}, although the offset was -07:52:58.
   * The first and the last hours may therefore be printed with the years {@code 0000} and {@code
   * 10000}.
   *
   * <p>The server casts in the zone of the database's option {@code default_time_zone}, by default
   * America/Los_Angeles. {@code STRING(x, 'UTC')}, in GoogleSQL only, returns the text in a zone of
   * your choice. The zone must have the same history here and on the server, and editions of the
   * time zone database differ for some zones before 1970: UTC is safe.
   *
   * <p>Nanoseconds are encoded. If the column is less precise ({@code timestamptz} may store
   * microseconds), the server prints a shorter text: truncate the times of the row first, with
   * {@link Instant#truncatedTo}.
   *
   * @param zone the zone in which the server prints
   */
  static KeyEncoder<Instant> timestamp(ZoneId zone) {
    return new TimestampText(Objects.requireNonNull(zone, "zone"));
  }

  /**
   * Concatenates several parts unambiguously, each encoded as a netstring (D. J. Bernstein, 1997):
   * the number of its bytes in decimal, a colon, the bytes, a comma. {@code ("ab", "c")} becomes
   * {@code 2:ab,1:c,}. A part may be empty.
   *
   * <pre>{@code
   * KeyEncoder<Access> key =
   *     KeyEncoder.netstrings(
   *         KeyEncoder.string().from(Access::user),
   *         KeyEncoder.int64().from(Access::page));
   * }</pre>
   *
   * <p>The server's expression for a string {@code s} is {@code CONCAT(CAST(BYTE_LENGTH(s) AS
   * STRING), ':', s, ',')} in GoogleSQL and {@code (CAST(length(CAST(s AS bytea)) AS varchar) ||
   * ':' || s || ',')} in PostgreSQL. For another type, replace {@code s} with its cast; for several
   * parts, concatenate such expressions. The parentheses matter in a generated column, whose
   * expression may be nested at most 20 deep: join more than three parts as a balanced tree, {@code
   * ((a || b) || (c || d))}.
   *
   * @param parts the encoders of the parts, at least one
   * @return the encoder; its {@link KeyFormatException} names the part that cannot be encoded
   * @throws IllegalArgumentException if there are no parts
   */
  @SafeVarargs
  static <T> KeyEncoder<T> netstrings(KeyEncoder<? super T>... parts) {
    return new Netstrings<>(parts);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
