package io.millrace.internal;

import java.util.HexFormat;

/** Shows texts from outside in messages. */
public final class LogSafe {

  private static final int MAX_LENGTH = 64;
  private static final String MARKS = "_.-/#:{}";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private LogSafe() {}

  /**
   * Shows a name as it is. If it is long, or has other characters than letters, digits and {@code
   * _.-/#:{}}, it is quoted.
   *
   * @return the name, or the result of {@link #quote}
   */
  public static String name(String name) {
    return name.length() <= MAX_LENGTH
            && name.chars().allMatch(c -> MARKS.indexOf(c) >= 0 || Character.isLetterOrDigit(c))
        ? name
        : quote(name);
  }

  /**
   * Quotes a text, and cuts it if it is long. Characters for which {@link #isPlain} is false, such
   * as a line break, are shown as a backslash, the letter u and their number in hexadecimal.
   *
   * @return the text in single quotes; after a cut, followed by its length
   */
  public static String quote(String text) {
    StringBuilder shown = new StringBuilder("'");
    int at = 0;
    while (at < text.length() && shown.length() <= MAX_LENGTH) {
      int character = text.codePointAt(at);
      append(shown, character);
      at += Character.charCount(character);
    }
    return at == text.length()
        ? shown.append("'").toString()
        : shown + "...' of " + text.codePointCount(0, text.length()) + " characters";
  }

  /**
   * Shows a whole message on one line, for example one of a database. Line breaks and tabs become
   * spaces, and other characters for which {@link #isPlain} is false are shown as by {@link
   * #quote}.
   *
   * @return the message itself if all its characters are plain
   */
  public static String line(String message) {
    if (message.codePoints().allMatch(LogSafe::isPlain)) {
      return message;
    }
    StringBuilder shown = new StringBuilder();
    message.codePoints().forEach(character -> appendToLine(shown, character));
    return shown.toString();
  }

  private static void appendToLine(StringBuilder shown, int character) {
    if (isPlain(character) || !Character.isWhitespace(character)) {
      append(shown, character);
    } else if (shown.isEmpty() || shown.charAt(shown.length() - 1) != ' ') {
      shown.append(' ');
    }
  }

  /**
   * Appends a character, escaped unless {@link #isPlain}.
   *
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
   * Tells whether a code point is an assigned character that is shown as itself.
   *
   * @return false for characters that control how text is shown, for half of a surrogate pair, and
   *     for private or unassigned code points
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
