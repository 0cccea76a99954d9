package io.millrace.advisor;

/** Shows texts of files in messages of one line, without characters that act on a terminal. */
final class Shown {

  private static final int MAX_LENGTH = 64;

  private Shown() {}

  /** Whether a code point is shown as itself. */
  static boolean isPlain(int character) {
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

  /** The text with spaces in place of other characters. */
  static String line(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .forEach(character -> shown.appendCodePoint(isPlain(character) ? character : ' '));
    return shown.toString();
  }

  /** A line that is cut if it is long. */
  static String word(String text) {
    String line = line(text);
    return line.codePointCount(0, line.length()) <= MAX_LENGTH
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MAX_LENGTH)) + "...";
  }
}
