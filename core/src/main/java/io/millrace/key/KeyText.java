package io.millrace.key;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;

/** What holds for every text in a key: it is Unicode. It may be empty, as it may on the server. */
final class KeyText {

  private static final int SHOWN = 64;

  private KeyText() {}

  /**
   * Returns the text if it may be a key.
   *
   * @throws KeyFormatException if it is null, or half of a surrogate pair stands alone in it
   */
  static String require(String what, String text) {
    utf8Length(what, NullKeys.refuse(text));
    return text;
  }

  /**
   * Returns the text if a function may put it into every key: a setting, and no key itself.
   *
   * @throws IllegalArgumentException if half of a surrogate pair stands alone in it
   */
  static String requireSetting(String what, String text) {
    try {
      utf8Length(what, Objects.requireNonNull(text, what));
      return text;
    } catch (KeyFormatException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Counts the bytes of the text's UTF-8. The text may be a row's, so the message does not show it.
   *
   * @throws KeyFormatException if half of a surrogate pair stands alone in it
   */
  static long utf8Length(String what, String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      int character = text.codePointAt(i);
      if (Character.isSupplementaryCodePoint(character)) {
        bytes += 4;
        i++;
      } else if (Character.isSurrogate((char) character)) {
        throw new KeyFormatException(
            what
                + " must be Unicode, has the unpaired surrogate U+"
                + Integer.toHexString(character).toUpperCase(Locale.ROOT)
                + " at index "
                + i);
      } else {
        bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : 3;
      }
    }
    return bytes;
  }

  /** A name for a message: as it is, or quoted where it is long or has other than letters. */
  static String shown(String name) {
    return name.length() <= SHOWN
            && name.chars().allMatch(c -> c == '_' || Character.isLetterOrDigit(c))
        ? name
        : quote(name);
  }

  /**
   * Quotes a text for a message, cut where it is long. What would change how the message reads,
   * such as a line break, or is no character, is written as Java escapes it.
   */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("'");
    int at = 0;
    while (at < text.length() && quoted.length() <= SHOWN) {
      int character = text.codePointAt(at);
      append(quoted, character);
      at += Character.charCount(character);
    }
    return at == text.length()
        ? quoted.append("'").toString()
        : quoted + "...' of " + text.codePointCount(0, text.length()) + " characters";
  }

  private static void append(StringBuilder quoted, int character) {
    switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          quoted
              .append(character > 0xFFFF ? "\\U" : "\\u")
              .append(
                  HexFormat.of()
                      .withUpperCase()
                      .toHexDigits(character, character > 0xFFFF ? 8 : 4));
      default -> quoted.appendCodePoint(character);
    }
  }
}
