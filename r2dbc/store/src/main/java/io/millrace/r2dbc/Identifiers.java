package io.millrace.r2dbc;

import io.millrace.internal.ShownText;

/**
 * Names of tables and columns, as far as they are the same for all databases. {@link NameRule} has
 * the rest. Only names checked by both are put into DDL and SQL, and always quoted.
 */
final class Identifiers {

  /** No database takes longer ones. */
  private static final int LONGEST = 1_024;

  /** A catalog, a schema, and the table. */
  private static final int MOST_PARTS = 3;

  private Identifiers() {}

  /** A column's name itself, if it is one. */
  static String column(String what, String name) {
    return check(what, name, 1);
  }

  /** A table's name itself, if it is one; a schema, or a catalog and a schema, may stand before. */
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

  /** Whether a server that takes UTF-8 can keep it, and a log show it. */
  static boolean isText(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  private static IllegalArgumentException refused(String what, String rule, String name) {
    return new IllegalArgumentException(
        what + " must be " + rule + ", was " + ShownText.quote(name));
  }
}
