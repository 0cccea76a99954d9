package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names that a database accepts, and how they are quoted. Each quote inside a name is doubled,
 * so a name cannot be read as SQL. A name that the server would truncate or reject is refused: a
 * truncated name could be another table's.
 *
 * @param quote the mark before and after a name
 * @param longest the largest length of one part of a name
 * @param inBytes whether the length is in bytes of UTF-8; else in characters
 * @param form a pattern that each part must match; null if any text can be quoted as a name
 */
record NameRule(char quote, int longest, boolean inBytes, @Nullable Pattern form) {

  static final NameRule STANDARD = new NameRule('"', 128, false, null);

  /** Quotes one part of a name. */
  String quoted(String name) {
    int length =
        inBytes
            ? name.getBytes(StandardCharsets.UTF_8).length
            : name.codePointCount(0, name.length());
    if (length > longest) {
      throw new IllegalArgumentException(
          "a name has at most "
              + (longest + (inBytes ? " bytes" : " characters"))
              + (" in this database, was " + LogSafe.quote(name))
              + (inBytes ? " in " + length + " bytes" : ""));
    }
    if (form != null && !form.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name must match " + form + " in this database, was " + LogSafe.quote(name));
    }
    String mark = String.valueOf(quote);
    return mark + name.replace(mark, mark + mark) + mark;
  }
}
