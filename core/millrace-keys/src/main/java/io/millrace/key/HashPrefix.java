package io.millrace.key;

import io.millrace.internal.LogSafe;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Prefixes a text with the first digits of its hash, which spreads texts with a common beginning
 * over the key space: {@code [md5(userid).substring(0,4)][userid]} of the guide "Design primary
 * keys for Lindorm wide tables". The text stays readable, and rows can still be found by it.
 *
 * <p>The hash is computed from the text's UTF-8 and printed by {@link KeyHash#toHex}. {@code
 * HashPrefix.md5(4)} equals {@code CONCAT(SUBSTR(TO_HEX(MD5(k)), 1, 4), k)} in GoogleSQL, and
 * {@code substr(md5(k), 1, 4) || k} in PostgreSQL; the emulator's PostgreSQL dialect has no {@code
 * md5}.
 */
public final class HashPrefix implements KeyCodec<String, String> {

  private final KeyHash hash;
  private final int width;
  private final String separator;

  private HashPrefix(KeyHash hash, int width, String separator) {
    this.hash = hash;
    this.width = width;
    this.separator = separator;
  }

  /**
   * Creates the guide's prefix: hexadecimal digits of MD5.
   *
   * @param width the number of digits, from 1 to 32; each allows 16 times as many prefixes
   * @throws IllegalArgumentException if {@code width} is out of range
   */
  public static HashPrefix md5(int width) {
    return of(KeyHash.MD5, width);
  }

  /**
   * Creates a prefix of any hash.
   *
   * @param width how many of its hexadecimal digits to use, from 1 to all
   * @throws IllegalArgumentException if {@code width} is out of range
   */
  public static HashPrefix of(KeyHash hash, int width) {
    int digits = Objects.requireNonNull(hash, "hash").toHex(new byte[0]).length();
    if (width < 1 || width > digits) {
      throw new IllegalArgumentException(
          "width must be from 1 to " + digits + " digits of " + hash + ", was " + width);
    }
    return new HashPrefix(hash, width, "");
  }

  /**
   * Sets the separator between prefix and text. Defaults to none.
   *
   * @param separator the separator, may be empty
   * @return a codec with that separator
   * @throws IllegalArgumentException if {@code separator} has an unpaired surrogate
   */
  public HashPrefix separator(String separator) {
    return new HashPrefix(hash, width, KeyText.requireSetting("separator", separator));
  }

  /**
   * Returns the prefix alone, for a schema that stores it in a separate column.
   *
   * @param key the text
   * @return the first digits of the text's hash
   * @throws KeyFormatException if {@code key} is null or has an unpaired surrogate
   */
  public String prefix(String key) {
    byte[] bytes = KeyText.require("key", key).getBytes(StandardCharsets.UTF_8);
    return hash.toHex(bytes).substring(0, width);
  }

  /**
   * Prefixes a text.
   *
   * @return prefix, separator and text
   * @throws KeyFormatException if {@code key} is null or has an unpaired surrogate
   */
  @Override
  public String apply(String key) {
    return prefix(key) + separator + key;
  }

  /**
   * Removes the prefix, and checks it.
   *
   * @param value prefix, separator and text
   * @throws KeyFormatException if {@code value} does not begin with the prefix of its text
   */
  @Override
  public String decode(String value) {
    int start = width + separator.length();
    if (NullKeys.refuse(value).length() < start) {
      throw new KeyFormatException(
          "value must be "
              + width
              + " digits, "
              + LogSafe.quote(separator)
              + " and a text, was "
              + LogSafe.quote(value));
    }
    String key = value.substring(start);
    String expected = prefix(key) + separator;
    if (!value.startsWith(expected)) {
      throw new KeyFormatException(
          "value must begin with " + LogSafe.quote(expected) + ", was " + LogSafe.quote(value));
    }
    return key;
  }

  @Override
  public String toString() {
    return "HashPrefix["
        + hash
        + ", width="
        + width
        + ", separator="
        + LogSafe.quote(separator)
        + "]";
  }
}
