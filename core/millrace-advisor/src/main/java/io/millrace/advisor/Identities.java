package io.millrace.advisor;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The identity columns of tables, as {@code table.column} in lower case. */
record Identities(Set<String> columns) {

  static final Identities NONE = new Identities(Set.of());

  private static final Pattern TABLE =
      Pattern.compile(
          "^CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?([\\w.`\"]+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern COLUMN =
      Pattern.compile(
          "^\\s*([\\w`\"]+)\\s[^,\\n]*\\bAS\\s+IDENTITY\\b",
          Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

  /** Reads statements that have each column on a line of its own, as Spanner writes them. */
  static Identities in(List<String> ddl) {
    Set<String> columns = new HashSet<>();
    for (String statement : ddl) {
      Matcher table = TABLE.matcher(statement);
      if (table.find()) {
        Matcher column = COLUMN.matcher(statement);
        while (column.find()) {
          columns.add(name(table.group(1), column.group(1)));
        }
      }
    }
    return new Identities(Set.copyOf(columns));
  }

  private static String name(String table, String column) {
    return (table + "." + column).replaceAll("[`\"]", "").toLowerCase(Locale.ROOT);
  }

  boolean has(String table, String column) {
    return columns.contains(name(table, column));
  }
}
