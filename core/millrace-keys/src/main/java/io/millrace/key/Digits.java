package io.millrace.key;

import io.millrace.internal.ShownText;

/**
 * Stores a text of decimal digits as a number: {@code "2015122410"} becomes 2015122410, 8 bytes in
 * place of 10. The texts all have one length, so that zeros in front are not lost; texts and
 * numbers sort alike.
 *
 * <p>This is the advice of the guide "Design primary keys for Lindorm wide tables" to keep keys
 * short.
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
   * @param width how many digits every text has, from 1 to 18: every text of 18 digits is a {@code
   *     long}
   * @return the codec
   * @throws IllegalArgumentException if {@code width} is out of its range
   */
  public static Digits ofWidth(int width) {
    return new Digits(FixedDecimal.ofWidth(width, MAX_WIDTH));
  }

  /**
   * Reads the number.
   *
   * @param key the digits, from {@code '0'} to {@code '9'} and no others of Unicode
   * @return the number they write
   * @throws KeyFormatException if {@code key} does not have exactly as many digits as the width
   */
  @Override
  public Long apply(String key) {
    long number = decimal.parse(NullKeys.refuse(key));
    if (number < 0) {
      throw new KeyFormatException(
          "text must be " + decimal.rule() + ", was " + ShownText.quote(key));
    }
    return number;
  }

  /**
   * Writes the number, with zeros in front up to the width.
   *
   * @param value the number
   * @return the digits
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
