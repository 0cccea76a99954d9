package io.millrace.r2dbc;

import java.util.regex.Pattern;

/**
 * Names of tables and columns. Only names checked here are put into DDL and SQL, and always quoted,
 * so that reserved words are names like any other.
 */
final class Identifiers {

  private static final String RULE =
      "a letter, then letters, digits and underscores, at most 128 characters";
  private static final String NAME = "[A-Za-z][A-Za-z0-9_]{0,127}";
  private static final Pattern COLUMN = Pattern.compile(NAME);
  private static final Pattern TABLE = Pattern.compile("(" + NAME + "\\.)?" + NAME);

  private Identifiers() {}

  static String column(String what, String name) {
    return check(what, name, COLUMN, RULE);
  }

  static String table(String what, String name) {
    return check(what, name, TABLE, RULE + "; a schema and a dot may stand before it");
  }

  private static String check(String what, String name, Pattern pattern, String rule) {
    if (!pattern.matcher(name).matches()) {
      throw new IllegalArgumentException(what + " must be " + rule + ", was '" + name + "'");
    }
    return name;
  }
}
