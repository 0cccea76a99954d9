package io.millrace.key;

import io.millrace.internal.LogSafe;

/**
 * Writes a number with its last decimal digit first, so that consecutive numbers begin with
 * different digits: 1234 at width 6 becomes {@code "432100"}. The text always has as many digits as
 * the width, including zeros, so it is reversible.
 *
 * <p>This is the reversed key of the guide "Design primary keys for Lindorm wide tables", for
 * numbers. The server's functions are those of {@link ReversedString}, on a padded text.
 */
public final class ReversedDecimal implements KeyCodec<Long, String> {

  private final FixedDecimal decimal;

  private ReversedDecimal(FixedDecimal decimal) {
    this.decimal = decimal;
  }

  /**
   * Creates the codec.
   *
   * @param width the number of digits, from 1 to 19; 19 are enough for every number
   * @throws IllegalArgumentException if {@code width} is out of range
   */
  public static ReversedDecimal ofWidth(int width) {
    return new ReversedDecimal(FixedDecimal.ofWidth(width, FixedDecimal.MAX_WIDTH));
  }

  /**
   * Writes a number in reverse.
   *
   * @return exactly as many digits as the width
   * @throws KeyFormatException if {@code key} is null, negative or has more digits than the width
   */
  @Override
  public String apply(Long key) {
    return reversed(decimal.format(NullKeys.refuse(key)));
  }

  @Override
  public Long decode(String value) {
    long number = decimal.parse(reversed(NullKeys.refuse(value)));
    if (number < 0) {
      throw new KeyFormatException(
          "text must be the reverse of " + decimal.rule() + ", was " + LogSafe.quote(value));
    }
    return number;
  }

  private static String reversed(String digits) {
    return new StringBuilder(digits).reverse().toString();
  }

  @Override
  public String toString() {
    return "ReversedDecimal[width=" + decimal.width() + "]";
  }
}
