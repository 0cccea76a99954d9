package io.millrace.key;

import io.millrace.internal.LogSafe;

/**
 * Stores a text of decimal digits as a number: {@code "2015122410"} becomes 2015122410, 8 bytes
 * instead of 10. All texts have the same length, so leading zeros are not lost, and texts and
 * numbers sort alike.
 *
 * <p>The guide "Design primary keys for Lindorm wide tables" recommends this to keep keys short.
 */
public final class Digits implements KeyCodec<String, Long> {

  private static final int MAX_WIDTH = 18;

  private final FixedDecimal decimal;

  private Digits(FixedDecimal decimal) {
    this.decimal = decimal;
  }

  /**
   * Creates the codec.
   *
   * @param width the number of digits of every text, from 1 to 18, which always fit in a {@code
   *     long}
   * @throws IllegalArgumentException if {@code width} is out of range
   */
  public static Digits ofWidth(int width) {
    return new Digits(FixedDecimal.ofWidth(width, MAX_WIDTH));
  }

  /**
   * Parses the number.
   *
   * @param key the digits, only {@code '0'} to {@code '9'}
   * @throws KeyFormatException if {@code key} does not have exactly as many digits as the width
   */
  @Override
  public Long apply(String key) {
    long number = decimal.parse(NullKeys.refuse(key));
    if (number < 0) {
      throw new KeyFormatException(
          "text must be " + decimal.rule() + ", was " + LogSafe.quote(key));
    }
    return number;
  }

  /**
   * Formats the number, padded with zeros to the width.
   *
   * @throws KeyFormatException if {@code value} is null, negative or has more digits than the width
   */
  @Override
  public String decode(Long value) {
    return decimal.format(NullKeys.refuse(value));
  }

  @Override
  public String toString() {
    return "Digits[width=" + decimal.width() + "]";
  }
}
