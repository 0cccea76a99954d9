package io.millrace.key;

import java.util.Locale;

/**
 * The digits of a radix, in the order of their values and of ASCII, so that numbers of one width
 * sort as texts too.
 *
 * @param digits the digits, the one for 0 first
 */
record Alphabet(String digits) {

  private static final String DECIMAL = "0123456789";
  private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String CROCKFORD = "ABCDEFGHJKMNPQRSTVWXYZ";

  static Alphabet ofRadix(int radix) {
    return switch (radix) {
      case 10, 16, 36 -> new Alphabet((DECIMAL + UPPER).substring(0, radix));
      case 32 -> new Alphabet(DECIMAL + CROCKFORD);
      case 62 -> new Alphabet(DECIMAL + UPPER + UPPER.toLowerCase(Locale.ROOT));
      default ->
          throw new IllegalArgumentException("radix must be 10, 16, 32, 36 or 62, was " + radix);
    };
  }

  int radix() {
    return digits.length();
  }

  /** How many digits {@link Long#MAX_VALUE} has. */
  int maxWidth() {
    return format(Long.MAX_VALUE, 0).length();
  }

  char digit(int value) {
    return digits.charAt(value);
  }

  /** The value of a digit, -1 if it is none. */
  int valueOf(char digit) {
    return digits.indexOf(digit);
  }

  /** Writes a number that is not negative, with zeros in front up to a width. */
  String format(long value, int width) {
    StringBuilder reversed = new StringBuilder();
    long rest = value;
    do {
      reversed.append(digit((int) (rest % radix())));
      rest /= radix();
    } while (rest > 0);
    return reversed.append("0".repeat(Math.max(0, width - reversed.length()))).reverse().toString();
  }

  /** Reads a number, -1 if the text has another character than digits or is too great a number. */
  long parse(String text) {
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = valueOf(text.charAt(i));
      if (digit < 0 || value > (Long.MAX_VALUE - digit) / radix()) {
        return -1;
      }
      value = value * radix() + digit;
    }
    return value;
  }

  /**
   * Computes the check character of the hybrid system MOD M+1,M of ISO/IEC 7064, where M is the
   * radix. It differs for any two texts that differ in one digit.
   *
   * @param text digits of this alphabet only
   */
  char checkDigit(String text) {
    int radix = radix();
    int product = radix;
    for (int i = 0; i < text.length(); i++) {
      int sum = (product + valueOf(text.charAt(i))) % radix;
      product = (sum == 0 ? radix : sum) * 2 % (radix + 1);
    }
    return digit((radix + 1 - product) % radix);
  }
}
