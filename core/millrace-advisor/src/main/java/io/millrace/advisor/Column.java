package io.millrace.advisor;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, as the database describes it.
 *
 * @param name its name
 * @param type its type, as a statement has it
 * @param nullable whether it may be null
 * @param defaultValue the expression of its default, or null
 * @param generated the expression that gives its value, or null
 * @param counted whether the database counts its values up by one
 * @param spread whether the database gives it bit-reversed numbers
 * @param commitTimestamp whether it may hold the time of the commit
 * @param clauses what a statement says of it behind type, null and default
 */
record Column(
    String name,
    String type,
    boolean nullable,
    @Nullable String defaultValue,
    @Nullable String generated,
    boolean counted,
    boolean spread,
    boolean commitTimestamp,
    String clauses) {

  private static final Pattern WHOLE_NUMBER =
      Pattern.compile(
          "(INT64|BIGINT|INTEGER|INT|INT4|INT8|SMALLINT|MEDIUMINT)(\\(\\d+\\))?( UNSIGNED)?");

  /** Of the length of a text or of bytes. Spanner accepts no length that has more. */
  private static final int MAX_DIGITS = 9;

  private String upperType() {
    return type.toUpperCase(Locale.ROOT);
  }

  boolean isTime() {
    String upper = upperType();
    return upper.startsWith("TIMESTAMP") || upper.startsWith("DATETIME") || commitTimestamp;
  }

  boolean isDate() {
    return upperType().equals("DATE");
  }

  boolean isWholeNumber() {
    return WHOLE_NUMBER.matcher(upperType()).matches();
  }

  boolean isText() {
    String upper = upperType();
    return upper.startsWith("STRING")
        || upper.startsWith("CHAR")
        || upper.startsWith("VARCHAR")
        || upper.equals("TEXT");
  }

  boolean isBytes() {
    return upperType().startsWith("BYTES") || upperType().startsWith("BYTEA");
  }

  boolean isUuid() {
    return upperType().equals("UUID");
  }

  /** Whether the type itself has few values, if the column is part of a key or an index. */
  boolean isEnumerated() {
    String upper = upperType();
    return upper.startsWith("BOOL")
        || upper.startsWith("ENUM")
        || upper.startsWith("TINYINT")
        || isOfAProtoBundle();
  }

  /** In a key or an index, it can only be an enumeration of the bundle. */
  private boolean isOfAProtoBundle() {
    return type.contains(".") && !commitTimestamp;
  }

  /** The most bytes a value takes; {@link Long#MAX_VALUE} for a type without a limit. */
  long maxBytes() {
    String upper = upperType();
    int open = upper.indexOf('(');
    if (!isText() && !isBytes()) {
      return Long.BYTES;
    }
    String length = open < 0 ? "" : upper.substring(open + 1).replaceAll("\\D.*", "");
    return length.isEmpty() || length.length() > MAX_DIGITS
        ? Long.MAX_VALUE
        : Long.parseLong(length);
  }
}
