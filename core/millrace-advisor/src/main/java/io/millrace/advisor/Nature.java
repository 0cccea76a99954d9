package io.millrace.advisor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a column follow each other when rows are inserted.
 *
 * @param kind what is known
 * @param proven whether the schema proves it; otherwise type or name suggest it
 * @param because the reason, as the end of a sentence
 */
record Nature(Kind kind, boolean proven, String because) {

  /** What is known of the values. */
  enum Kind {
    /** They rise or fall as time passes. */
    TIME,
    /** They are counted up. */
    COUNTED,
    /** They are whole numbers, and may be counted up. */
    MAYBE_COUNTED,
    /** They are times or lengths of time. */
    MAYBE_TIME,
    /** They are UUIDs that begin with a time. */
    TIME_UUID,
    /** There are few of them. */
    FEW,
    /** They are a shard: few, and rows spread over them. */
    SHARD,
    /** They are random or bit-reversed. */
    SPREAD,
    /** Nothing is known. */
    OPEN;

    /** Whether rows in this order are inserted at one end. */
    boolean rises() {
      return this == TIME || this == COUNTED || this == TIME_UUID;
    }

    boolean mayRise() {
      return this == MAYBE_COUNTED || this == MAYBE_TIME;
    }
  }

  private static final Pattern RANDOM =
      Pattern.compile(
          "generate_uuid\\(|gen_random_uuid|random_uuid|uuid_generate_v4|uuidv4|new_uuid|rand\\(|"
              + "random\\(");
  private static final Pattern TIME_UUID_FUNCTION =
      Pattern.compile("uuidv7|uuid_v7|uuid7|uuid_generate_v1|uuid_generate_v7|\\buuid\\(\\)");
  private static final Pattern NOW =
      Pattern.compile(
          "current_timestamp|current_date|current_datetime|localtime|commit_timestamp|"
              + "\\bnow\\(|clock_timestamp|sysdate|unix_micros|unix_millis|unix_seconds");
  private static final Pattern SHARD =
      Pattern.compile(
          "\\bmod\\(|%|fingerprint|farm_hash|\\bmd5\\(|sha1\\(|sha256\\(|sha512\\(|reverse\\(");

  /** What is left of a time does not rise: a length of time, a day of the week. */
  private static final Pattern PART_OF_TIME =
      Pattern.compile("_diff\\(|\\bage\\(|\\bextract\\((?!date|epoch)|date_part\\(");

  private static final Pattern OWN_SEQUENCE = Pattern.compile("get_next_sequence_value|nextval\\(");

  /** What a column is that is not generated. */
  static Nature of(Column column, Table table, DdlDialect dialect) {
    Nature byValue = byValue(column, dialect);
    if (byValue != null) {
      return byValue;
    }
    Words words = Words.of(column.name());
    if (column.isTime()) {
      return new Nature(Kind.TIME, column.commitTimestamp(), "is a time (" + column.type() + ")");
    }
    if (column.isDate()) {
      return words.nameADateOfTheWorld()
          ? open()
          : new Nature(Kind.TIME, false, "is a time (" + column.type() + ")");
    }
    if (column.isEnumerated()) {
      return fewOf(column);
    }
    if (words.nameAShard()) {
      return new Nature(Kind.SHARD, false, "is named like a shard");
    }
    return byName(column, words, table);
  }

  /** Where a pattern is found first; the largest number if it is not. */
  private static int first(Pattern pattern, String expression) {
    Matcher matcher = pattern.matcher(expression);
    return matcher.find() ? matcher.start() : Integer.MAX_VALUE;
  }

  private static Nature fewOf(Column column) {
    return new Nature(Kind.FEW, true, "has few values (" + column.type() + ")");
  }

  static Nature open() {
    return new Nature(Kind.OPEN, false, "");
  }

  private static @Nullable Nature byValue(Column column, DdlDialect dialect) {
    if (column.spread()) {
      return new Nature(Kind.SPREAD, true, "is bit-reversed");
    }
    String value = column.defaultValue();
    return value == null ? null : byDefault(value, Expression.of(value, dialect).text());
  }

  private static @Nullable Nature byDefault(String value, String expression) {
    int time = first(NOW, expression);
    int random = first(RANDOM, expression);
    if (time < random && SHARD.matcher(expression).find()) {
      return new Nature(Kind.SHARD, true, "has the default " + value);
    }
    if (time < random && PART_OF_TIME.matcher(expression).find()) {
      return open();
    }
    if (time < random) {
      return new Nature(Kind.TIME, true, "has the default " + value);
    }
    if (random < Integer.MAX_VALUE) {
      return new Nature(Kind.SPREAD, true, "has a random default");
    }
    if (TIME_UUID_FUNCTION.matcher(expression).find()) {
      return new Nature(Kind.TIME_UUID, true, "has the default " + value + ", a time-based UUID");
    }
    boolean ofSequence = first(OWN_SEQUENCE, expression) < Integer.MAX_VALUE;
    boolean reversed = expression.contains("bit_reverse(");
    // Spanner's sequences are bit-reversed; reversed once more, they count up.
    if (ofSequence && reversed) {
      return new Nature(Kind.COUNTED, true, "has the default " + value + ", which counts up");
    }
    return ofSequence || reversed
        ? new Nature(Kind.SPREAD, true, "has a bit-reversed default")
        : null;
  }

  /** What a generated column is whatever it is made of; null if it is what its sources are. */
  static @Nullable Nature byExpression(Column column, Expression expression, boolean ofColumns) {
    if (column.isEnumerated()) {
      return fewOf(column);
    }
    if (SHARD.matcher(expression.text()).find()) {
      return computed(column, Kind.SHARD, true);
    }
    if (PART_OF_TIME.matcher(expression.values()).find()) {
      return open();
    }
    return ofColumns || !expression.hasConditions()
        ? null
        : new Nature(
            Kind.FEW, true, "is computed by " + column.generated() + ", which has few values");
  }

  static Nature computed(Column column, Kind kind, boolean proven) {
    return new Nature(kind, proven, "is computed by " + column.generated());
  }

  private static Nature byName(Column column, Words words, Table table) {
    boolean isNumberOrText = column.isWholeNumber() || column.isText();
    if ((isNumberOrText || column.isBytes() || column.isUuid()) && words.nameATimeId()) {
      Kind kind = column.isWholeNumber() ? Kind.COUNTED : Kind.TIME_UUID;
      return new Nature(kind, false, "is named like an id that begins with a time");
    }
    if (isNumberOrText && words.nameATime()) {
      return new Nature(Kind.TIME, false, "is named like a time");
    }
    if (isNumberOrText && words.mayNameATime()) {
      return new Nature(Kind.MAYBE_TIME, false, "is named like a time or a length of time");
    }
    if (isNumberOrText && words.nameFewValues()) {
      return new Nature(Kind.FEW, false, "is named like a column with few values");
    }
    if (column.isWholeNumber() && !table.referring().contains(column.name())) {
      if (words.nameACount()) {
        return new Nature(Kind.COUNTED, false, "is named like a counter");
      }
      if (words.nameAnId()) {
        return new Nature(Kind.MAYBE_COUNTED, false, "is a number that the application fills");
      }
    }
    return open();
  }
}
