package io.millrace.key;

import java.util.Locale;
import java.util.Objects;

/**
 * The rules for every text in a key: it must be valid Unicode, and may be empty, as on the server.
 */
final class KeyText {

  private KeyText() {}

  /**
   * Returns the text if it may be a key.
   *
   * @throws KeyFormatException if it is null or has an unpaired surrogate
   */
  static String require(String what, String text) {
    utf8Length(what, NullKeys.refuse(text));
    return text;
  }

  /**
   * Returns the text if a function may put it into every key. It is a setting and not a key.
   *
   * @throws IllegalArgumentException if it has an unpaired surrogate
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
   * @throws KeyFormatException if it has an unpaired surrogate
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
}
