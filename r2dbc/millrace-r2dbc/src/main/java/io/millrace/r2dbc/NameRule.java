package io.millrace.r2dbc;

import io.millrace.InvalidOptionException;
import io.millrace.internal.LogSafe;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names that a database accepts, and how they are quoted. Each quote inside a name is doubled,
 * so a name cannot be read as SQL. A name that the server would truncate or reject is refused: a
 * truncated name could be another table's.
 *
 * <p>{@link #table} and {@link #column} check the rules that all databases share. Only names that
 * both have checked are put into SQL, always quoted.
 *
 * @param quote the mark before and after a name
 * @param longest the largest length of one part of a name
 * @param inBytes whether the length is in bytes of UTF-8; else in characters
 * @param form a pattern that each part must match; null if any text can be quoted as a name
 */
record NameRule(char quote, int longest, boolean inBytes, @Nullable Pattern form) {

  static final NameRule STANDARD = new NameRule('"', 128, false, null);

  /** No database accepts a longer name. */
  private static final int LONGEST = 1_024;

  /** A catalog, a schema, and the table. */
  private static final int MOST_PARTS = 3;

  /** Returns the name if it can be a column's, else throws. */
  static String column(String what, String name) {
    return check(what, name, 1);
  }

  /**
   * Returns the name if it can be a table's, with or without a schema and a catalog, else throws.
   */
  static String table(String what, String name) {
    return check(what, name, MOST_PARTS);
  }

  private static String check(String what, String name, int mostParts) {
    if (name.length() > LONGEST) {
      throw new InvalidOptionException(what, name, "must be at most " + LONGEST + " characters");
    }
    if (!isText(name)) {
      throw new InvalidOptionException(what, name, "must be text without control characters");
    }
    String[] parts = name.split("\\.", -1);
    if (parts.length > mostParts) {
      throw new InvalidOptionException(
          what,
          name,
          mostParts == 1
              ? "must be a name without dots"
              : "must be at most " + mostParts + " names and dots");
    }
    for (String part : parts) {
      if (part.isBlank()) {
        throw new InvalidOptionException(what, name, "must be a name that is not empty");
      }
    }
    return name;
  }

  /** Whether a server can store the name as UTF-8 and a log can show it. */
  private static boolean isText(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

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
