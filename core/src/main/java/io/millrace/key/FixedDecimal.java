package io.millrace.key;

/** Numbers from 0 up, written with a fixed number of decimal digits, the first of them zeros. */
record FixedDecimal(int width) {

  /** The digits of {@link Long#MAX_VALUE}. */
  static final int MAX_WIDTH = 19;

  static FixedDecimal ofWidth(int width, int maxWidth) {
    if (width < 1 || width > maxWidth) {
      throw new IllegalArgumentException(
          "width must be from 1 to " + maxWidth + " digits, was " + width);
    }
    return new FixedDecimal(width);
  }

  /** The greatest number that fits. */
  long max() {
    if (width == MAX_WIDTH) {
      return Long.MAX_VALUE;
    }
    long limit = 1;
    for (int i = 0; i < width; i++) {
      limit *= 10;
    }
    return limit - 1;
  }

  String format(long value) {
    if (value < 0 || value > max()) {
      throw new KeyFormatException("value must be from 0 to " + max() + ", was " + value);
    }
    String digits = Long.toString(value);
    return "0".repeat(width - digits.length()) + digits;
  }

  long parse(String text) {
    if (NullKeys.refuse(text).length() != width) {
      throw refused(text);
    }
    long value = 0;
    for (int i = 0; i < width; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
        throw refused(text);
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private KeyFormatException refused(String text) {
    return new KeyFormatException(
        "text must be "
            + width
            + " digits from 0 to 9, a number up to "
            + max()
            + ", was "
            + KeyText.quote(text));
  }
}
