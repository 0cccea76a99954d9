package io.millrace.key;

/** Numbers from 0 up, written with a fixed number of decimal digits and zeros in front. */
record FixedDecimal(int width) {

  private static final Alphabet DECIMAL = Alphabet.ofRadix(10);

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
    return width == MAX_WIDTH ? Long.MAX_VALUE : DECIMAL.parse("9".repeat(width));
  }

  String format(long value) {
    String text = value < 0 ? "" : DECIMAL.format(value, width);
    if (text.length() != width) {
      throw new KeyFormatException("value must be from 0 to " + max() + ", was " + value);
    }
    return text;
  }

  /** Reads a number, -1 if the text is not exactly its digits. */
  long parse(String text) {
    return text.length() == width ? DECIMAL.parse(text) : -1;
  }

  /** Says what {@link #parse} reads. */
  String rule() {
    return width + " digits from 0 to 9, a number up to " + max();
  }
}
