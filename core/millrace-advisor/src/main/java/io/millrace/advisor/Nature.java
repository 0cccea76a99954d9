package io.millrace.advisor;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a column follow each other when rows are inserted.
 *
 * @param kind what is known
 * @param proven whether the schema or the data proves it; otherwise type or name suggest it
 * @param because the reason, as the end of a sentence
 */
record Nature(Kind kind, boolean proven, String because) {

  /** What is known of the values. */
  enum Kind {
    /** They rise or fall as time passes. */
    TIME,
    /** They are counted up. */
    COUNTED,
    /** They are whole numbers, and may rise. */
    MAYBE_RISING,
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
      Pattern.compile("_diff\\(|\\bage\\(|\\bextract\\(\\s*+(?!date|epoch)|date_part\\(");

  private static final Pattern JOINED = Pattern.compile("concat\\(|\\|\\|");
  private static final Pattern TEXT = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern OWN_SEQUENCE = Pattern.compile("get_next_sequence_value|nextval\\(");

  static Nature of(Column column, Table table, Catalog catalog) {
    return of(column, table, catalog, new HashSet<>());
  }

  /**
   * What a column is.
   *
   * @param judged the columns that this one is computed from, as far as they are known not to rise,
   *     and those that are computed from it
   */
  private static Nature of(Column column, Table table, Catalog catalog, Set<Column> judged) {
    judged.add(column);
    Words words = Words.of(column.name());
    Nature byExpression = byExpression(column, table, catalog, judged);
    if (byExpression != null) {
      return byExpression;
    }
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

  private static Nature open() {
    return new Nature(Kind.OPEN, false, "");
  }

  private static @Nullable Nature byExpression(
      Column column, Table table, Catalog catalog, Set<Column> judged) {
    if (column.counted()) {
      return new Nature(Kind.COUNTED, true, "is counted up by the database");
    }
    if (column.spread()) {
      return new Nature(Kind.SPREAD, true, "is bit-reversed");
    }
    String generated = column.generated();
    if (generated != null) {
      return byGeneration(column, generated, table, catalog, judged);
    }
    if (column.defaultValue() == null) {
      return null;
    }
    return byDefault(column.defaultValue(), withoutTexts(column.defaultValue()), catalog);
  }

  private static String withoutTexts(String expression) {
    return TEXT.matcher(expression.toLowerCase(Locale.ROOT)).replaceAll("''");
  }

  private static @Nullable Nature byDefault(String value, String expression, Catalog catalog) {
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
    boolean counted = first(OWN_SEQUENCE, expression) < Integer.MAX_VALUE;
    boolean reversed = expression.contains("bit_reverse(");
    if (catalog.isSpanner() && counted) {
      // Spanner's sequences are bit-reversed; reversed once more, they count up.
      return reversed
          ? new Nature(Kind.COUNTED, true, "has the default " + value + ", which counts up")
          : new Nature(Kind.SPREAD, true, "has a bit-reversed default");
    }
    if (reversed) {
      return new Nature(Kind.SPREAD, true, "has a bit-reversed default");
    }
    return null;
  }

  /**
   * A column made of others is what they are, unless the expression spreads it. Of columns that are
   * joined, the first counts. What is only looked at, to choose among constants, does not count.
   */
  private static Nature byGeneration(
      Column column, String generated, Table table, Catalog catalog, Set<Column> judged) {
    if (column.isEnumerated()) {
      return fewOf(column);
    }
    String expression = withoutTexts(generated);
    if (SHARD.matcher(expression).find()) {
      return new Nature(Kind.SHARD, true, "is computed by " + generated);
    }
    String values = Conditions.removedFrom(expression);
    if (PART_OF_TIME.matcher(values).find()) {
      return open();
    }
    List<Column> sources =
        table.columns().stream()
            .filter(source -> !source.name().equals(column.name()))
            .filter(source -> place(source, values) < Integer.MAX_VALUE)
            .sorted(Comparator.comparingInt(source -> place(source, values)))
            .toList();
    if (sources.isEmpty() && !values.equals(expression)) {
      return new Nature(Kind.FEW, true, "is computed by " + generated + ", which has few values");
    }
    return sources.stream()
        .limit(JOINED.matcher(expression).find() ? 1 : Long.MAX_VALUE)
        .filter(source -> !judged.contains(source))
        .map(source -> of(source, table, catalog, judged))
        .filter(nature -> nature.kind().rises())
        .findFirst()
        .map(nature -> new Nature(nature.kind(), nature.proven(), "is computed by " + generated))
        .orElseGet(Nature::open);
  }

  private static int place(Column source, String expression) {
    return first(
        Pattern.compile("\\b" + Pattern.quote(source.name().toLowerCase(Locale.ROOT)) + "\\b"),
        expression);
  }

  private static Nature byName(Column column, Words words, Table table) {
    if ((column.isText() || column.isBytes() || column.isUuid()) && words.nameATimeUuid()) {
      return new Nature(Kind.TIME_UUID, false, "is named like an id that begins with a time");
    }
    if ((column.isWholeNumber() || column.isText()) && words.nameATime()) {
      return new Nature(Kind.TIME, false, "is named like a time");
    }
    if ((column.isWholeNumber() || column.isText()) && words.nameFewValues()) {
      return new Nature(Kind.FEW, false, "is named like a column with few values");
    }
    if (column.isWholeNumber() && !table.refersToAnotherTable(column.name())) {
      if (words.nameACount()) {
        return new Nature(Kind.COUNTED, false, "is named like a counter");
      }
      if (words.nameAnId() || words.mayNameATime()) {
        return new Nature(Kind.MAYBE_RISING, false, "is a number that the application fills");
      }
    }
    return open();
  }
}
