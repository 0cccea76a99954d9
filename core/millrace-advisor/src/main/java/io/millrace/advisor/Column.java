package io.millrace.advisor;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param name its name
 * @param type its type, as a statement has it
 * @param defaultValue the expression of its default, or null
 * @param generated the expression that gives its value, or null
 * @param spread whether the database gives it bit-reversed numbers
 * @param commitTimestamp whether it may hold the time of the commit
 */
record Column(
    String name,
    String type,
    @Nullable String defaultValue,
    @Nullable String generated,
    boolean spread,
    boolean commitTimestamp) {

  private static final Pattern WHOLE_NUMBER =
      Pattern.compile(
          "(INT64|BIGINT|INTEGER|INT|INT4|INT8|SMALLINT|MEDIUMINT)(\\(\\d+\\))?( UNSIGNED)?");

  /** The length of a text or of bytes. Spanner accepts no length that has more digits. */
  private static final Pattern LENGTH = Pattern.compile("\\((?:0X([0-9A-F]{1,7})|(\\d{1,9}))\\)");

  private static final int HEXADECIMAL = 16;

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
        || upper.startsWith("TEXT");
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
    if (!isText() && !isBytes()) {
      return Long.BYTES;
    }
    Matcher length = LENGTH.matcher(upperType());
    if (!length.find()) {
      return Long.MAX_VALUE;
    }
    return length.group(1) == null
        ? Long.parseLong(length.group(2))
        : Long.parseLong(length.group(1), HEXADECIMAL);
  }
}
