package io.millrace.key;

/**
 * Reverses a text, which spreads texts with a common beginning and a rising end over the key space:
 * {@code [reverse(userid)][orderid]} of the guide "Design primary keys for Lindorm wide tables". It
 * is its own inverse, so different texts stay different.
 *
 * <p>The function is Spanner's {@code REVERSE(value)} of GoogleSQL and {@code reverse(value)} of
 * PostgreSQL.
 */
public enum ReversedString implements KeyCodec<String, String> {

  /**
   * Reverses the order of the code points, so surrogate pairs stay intact. A combining accent ends
   * up before its letter.
   */
  BY_CODE_POINT;

  /**
   * Reverses a text.
   *
   * @return the text, last code point first
   * @throws KeyFormatException if {@code key} is null or has an unpaired surrogate
   */
  @Override
  public String apply(String key) {
    return new StringBuilder(KeyText.require("key", key)).reverse().toString();
  }

  @Override
  public String decode(String value) {
    return apply(value);
  }
}
