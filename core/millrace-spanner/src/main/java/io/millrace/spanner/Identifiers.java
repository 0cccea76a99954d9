package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.InvalidOptionException;
import io.millrace.internal.LogSafe;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of objects in a database of Spanner: of tables, columns, indexes and sequences.
 *
 * <p><b>Invariant.</b> A name enters SQL or DDL through {@link #quote} or {@link #literal} only,
 * and these accept only A to Z, a to z, digits, underscores and the dot between two names. So no
 * name can end its quotes, and reserved words are names like any other.
 *
 * <p>Both dialects have the same rule, except for the length. Spanner's names have up to 128
 * characters. In PostgreSQL its parser cuts a name after 63 characters, without an error, so a
 * longer name would be that of another object. The second limit is checked where the dialect is
 * known.
 */
final class Identifiers {

  private static final int MAX_IN_POSTGRESQL = 63;

  private static final String RULE =
      "a letter (A to Z, a to z), then letters, digits and underscores, at most 128 characters";
  private static final String NAME = "[A-Za-z][A-Za-z0-9_]{0,127}";
  private static final Pattern COLUMN = Pattern.compile(NAME);
  private static final Pattern TABLE = Pattern.compile("(" + NAME + "\\.)?" + NAME);

  private Identifiers() {}

  /**
   * Returns the name if it may be that of a column, or of anything without a schema.
   *
   * @param what what has this name, for the error
   * @throws IllegalArgumentException if it is not a valid name
   */
  static String column(String what, String name) {
    return check(what, name, COLUMN, RULE);
  }

  /**
   * Returns the name if it may be that of a table or a sequence, its schema before it.
   *
   * @param what what has this name, for the error
   * @throws IllegalArgumentException if it is not a valid name
   */
  static String table(String what, String name) {
    return check(what, name, TABLE, RULE + "; a schema and a dot may precede it");
  }

  private static String check(String what, String name, Pattern pattern, String rule) {
    if (!pattern.matcher(Objects.requireNonNull(name, what)).matches()) {
      throw new InvalidOptionException(what, name, "must be " + rule);
    }
    return name;
  }

  /**
   * Quotes a name, part by part.
   *
   * @param name the name, perhaps with a schema
   * @throws IllegalArgumentException if it is not a valid name in that dialect
   */
  static String quote(Dialect dialect, String name) {
    String mark = dialect == Dialect.POSTGRESQL ? "\"" : "`";
    return Arrays.stream(parts(dialect, name))
        .map(part -> mark + part + mark)
        .collect(Collectors.joining("."));
  }

  /**
   * Quotes a name as a text, for functions and queries that take the name of an object as one.
   *
   * @param name the name, perhaps with a schema
   * @throws IllegalArgumentException if it is not a valid name in that dialect
   */
  static String literal(Dialect dialect, String name) {
    return "'" + String.join(".", parts(dialect, name)) + "'";
  }

  private static String[] parts(Dialect dialect, String name) {
    String[] parts = table("a name", name).split("\\.", -1);
    for (String part : parts) {
      if (dialect == Dialect.POSTGRESQL && part.length() > MAX_IN_POSTGRESQL) {
        throw new IllegalArgumentException(
            ("a name has at most " + MAX_IN_POSTGRESQL + " characters in a database of PostgreSQL")
                + (", was " + LogSafe.quote(part)));
      }
    }
    return parts;
  }
}
