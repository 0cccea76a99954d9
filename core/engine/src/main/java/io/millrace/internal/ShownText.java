package io.millrace.internal;

import java.util.HexFormat;

/** Texts from outside, for messages. */
public final class ShownText {

  private static final int MOST = 64;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private ShownText() {}

  /**
   * Shows a name as it is, or quoted where it is long or has other characters than letters, digits,
   * underscores and dots.
   *
   * @param name the name
   * @return the name, or as {@link #quote}
   */
  public static String name(String name) {
    return name.length() <= MOST
            && name.chars().allMatch(c -> c == '_' || c == '.' || Character.isLetterOrDigit(c))
        ? name
        : quote(name);
  }

  /**
   * Quotes a text, cut where it is long. What would change how the message reads, such as a line
   * break, or is no character, is written as Java escapes it.
   *
   * @param text the text
   * @return the text in single quotes; after a cut, followed by its length
   */
  public static String quote(String text) {
    StringBuilder shown = new StringBuilder("'");
    int at = 0;
    while (at < text.length() && shown.length() <= MOST) {
      int character = text.codePointAt(at);
      append(shown, character);
      at += Character.charCount(character);
    }
    return at == text.length()
        ? shown.append("'").toString()
        : shown + "...' of " + text.codePointCount(0, text.length()) + " characters";
  }

  /**
   * Appends a character, escaped if it would not be read as itself.
   *
   * @param shown the text so far
   * @param character a code point
   */
  public static void append(StringBuilder shown, int character) {
    if (isPlain(character)) {
      shown.appendCodePoint(character);
    } else if (character <= 0xFFFF) {
      shown.append("\\u").append(HEX.toHexDigits(character, 4));
    } else {
      shown.append("\\U").append(HEX.toHexDigits(character, 8));
    }
  }

  /**
   * Whether a character is one, and is read as itself.
   *
   * @param character a code point
   * @return false for what controls how text is shown, and for half of a surrogate pair
   */
  public static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
