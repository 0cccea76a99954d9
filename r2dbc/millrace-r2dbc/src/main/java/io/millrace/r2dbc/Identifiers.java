package io.millrace.r2dbc;

import io.millrace.InvalidOptionException;

/**
 * Checks names of tables and columns by the rules that all databases share. {@link NameRule} checks
 * the rules of one database. Only names that both have checked are put into SQL, always quoted.
 */
final class Identifiers {

  /** No database accepts a longer name. */
  private static final int LONGEST = 1_024;

  /** A catalog, a schema, and the table. */
  private static final int MOST_PARTS = 3;

  private Identifiers() {}

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
      throw refused(what, "at most " + LONGEST + " characters", name);
    }
    if (!isText(name)) {
      throw refused(what, "text without control characters", name);
    }
    String[] parts = name.split("\\.", -1);
    if (parts.length > mostParts) {
      throw refused(
          what,
          mostParts == 1 ? "a name without dots" : "at most " + mostParts + " names and dots",
          name);
    }
    for (String part : parts) {
      if (part.isBlank()) {
        throw refused(what, "a name that is not empty", name);
      }
    }
    return name;
  }

  /** Whether a server can store the name as UTF-8 and a log can show it. */
  static boolean isText(String name) {
    int c;
    for (int i = 0; i < name.length(); i += Character.charCount(c)) {
      c = name.codePointAt(i);
      if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
        return false;
      }
    }
    return true;
  }

  private static InvalidOptionException refused(String what, String rule, String name) {
    return new InvalidOptionException(what, name, "must be " + rule);
  }
}
