package io.millrace.spanner;

import java.util.HexFormat;

/** Texts from outside, for messages. */
final class Shown {

  private static final int MOST = 64;

  private Shown() {}

  /**
   * Quotes a text, cut where it is long. What would change how the message reads, such as a line
   * break, or is no character, is written as {@code \\u000A}.
   */
  static String text(String text) {
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

  private static void append(StringBuilder shown, int character) {
    switch (Character.getType(character)) {
      case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.PRIVATE_USE,
              Character.UNASSIGNED ->
          shown
              .append(character > 0xFFFF ? "\\U" : "\\u")
              .append(
                  HexFormat.of()
                      .withUpperCase()
                      .toHexDigits(character, character > 0xFFFF ? 8 : 4));
      default -> shown.appendCodePoint(character);
    }
  }
}
