package io.millrace.key;

import io.millrace.internal.LogSafe;
import java.util.stream.Stream;

/**
 * Appends a {@link Salt} to a text, and takes it off again: of 100 salts, {@code "user7"} becomes
 * {@code "user700"} to {@code "user799"}. All suffixes have as many decimal digits as the greatest
 * one, so nothing is needed to separate them from the text.
 *
 * <p>This function is random: the same text gets another suffix each time. {@link #decode} undoes
 * every one of them.
 */
final class SaltSuffix implements KeyCodec<String, String> {

  private final Salt salt;
  private final FixedDecimal decimal;

  SaltSuffix(Salt salt) {
    this.salt = salt;
    this.decimal = new FixedDecimal(Long.toString(salt.count() - 1).length());
  }

  /**
   * Appends a number drawn from the salt.
   *
   * @param key the text
   * @return the text and the digits of the number
   * @throws KeyFormatException if {@code key} is null or has an unpaired surrogate
   */
  @Override
  public String apply(String key) {
    return KeyText.require("key", key) + decimal.format(salt.next());
  }

  @Override
  public String decode(String value) {
    int end = NullKeys.refuse(value).length() - decimal.width();
    long number = end < 0 ? -1 : decimal.parse(value.substring(end));
    if (number < 0 || number >= salt.count()) {
      throw new KeyFormatException(
          "salted key must be a text and "
              + decimal.width()
              + " digits up to "
              + (salt.count() - 1)
              + ", was "
              + LogSafe.quote(value));
    }
    return KeyText.require("key", value.substring(0, end));
  }

  Stream<String> candidates(String key) {
    KeyText.require("key", key);
    return salt.values().mapToObj(number -> key + decimal.format(number));
  }

  @Override
  public String toString() {
    return "SaltSuffix[" + salt + "]";
  }
}
