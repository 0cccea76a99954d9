package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks at some keys of each table. The database reads its whole key to choose them. */
final class Samples {

  /** Fewer keys tell nothing. */
  static final int ENOUGH = 20;

  /** A column with fewer distinct values than one in so many keys has few. */
  private static final int KEYS_PER_VALUE = 20;

  /** Of numbers that were counted up, at least this share of their range is there. */
  private static final double DENSE = 0.05;

  /** Numbers that spread are in more parts of the key space than this; there are 64. */
  private static final int PARTS = 8;

  private static final int PREFIX = 4;
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?([0-9])[0-9a-fA-F]{3}-?[0-9a-fA-F-]{16,18}");

  private final Catalog catalog;
  private final SchemaQuery query;
  private final int rows;
  private final Natures natures;
  private final Consumer<Finding> findings;
  private final Consumer<String> notes;

  Samples(
      Catalog catalog,
      SchemaQuery query,
      int rows,
      Natures natures,
      Consumer<Finding> findings,
      Consumer<String> notes) {
    this.catalog = catalog;
    this.query = query;
    this.rows = rows;
    this.natures = natures;
    this.findings = findings;
    this.notes = notes;
  }

  /** Looks at one table, unless it is interleaved: its first column is then the parent's. */
  void take(Table table) {
    if (table.parent() != null || table.key().isEmpty()) {
      return;
    }
    Column first = table.column(table.key().get(0).column());
    Kind known = natures.of(table, first.name()).kind();
    if (known == Kind.SHARD || known == Kind.SPREAD || !(first.isText() || first.isWholeNumber())) {
      return;
    }
    try {
      look(table, first);
    } catch (RuntimeException refused) {
      notes.accept("no sample of " + table.name() + ": " + refused.getMessage());
    }
  }

  private void look(Table table, Column first) {
    List<String> keys =
        query.rows(sql(table, first)).stream()
            .map(row -> row.get(0))
            .filter(Objects::nonNull)
            .map(Object::toString)
            .toList();
    if (keys.size() < ENOUGH) {
      return;
    }
    long distinct = keys.stream().distinct().count();
    if (table.key().size() > 1 && distinct * KEYS_PER_VALUE <= keys.size()) {
      natures.saw(
          table,
          first.name(),
          new Nature(
              Kind.FEW, true, "has " + distinct + " values in " + keys.size() + " sampled rows"));
    } else if (first.isWholeNumber()) {
      numbers(table, first, keys);
    } else {
      texts(table, first, keys);
    }
  }

  private String sql(Table table, Column column) {
    String select =
        "SELECT CAST("
            + catalog.quote(column.name())
            + " AS "
            + catalog.textType()
            + ") FROM "
            + catalog.quote(table.name());
    return switch (catalog) {
      case SPANNER -> select + " TABLESAMPLE RESERVOIR (" + rows + " ROWS)";
      case SPANNER_POSTGRESQL -> select + " ORDER BY spanner.generate_uuid() LIMIT " + rows;
      case POSTGRESQL -> select + " ORDER BY random() LIMIT " + rows;
      case MYSQL, H2 -> select + " ORDER BY RAND() LIMIT " + rows;
    };
  }

  /**
   * Numbers that fill their range were counted up. Those in many parts of the 64-bit numbers
   * spread. Of others the sample does not tell: a time or a random number may be small.
   */
  private void numbers(Table table, Column column, List<String> keys) {
    List<@Nullable String> range = query.rows(rangeSql(table, column)).get(0);
    String least = Objects.requireNonNull(range.get(0));
    String most = Objects.requireNonNull(range.get(1));
    String rows = Objects.requireNonNull(range.get(2));
    double width = Double.parseDouble(most) - Double.parseDouble(least) + 1;
    if (Double.parseDouble(rows) / width >= DENSE) {
      natures.saw(
          table,
          column.name(),
          new Nature(Kind.COUNTED, true, "has " + rows + " values from " + least + " to " + most));
      return;
    }
    long parts =
        keys.stream().map(key -> new BigInteger(key).shiftRight(Long.SIZE - 6)).distinct().count();
    if (parts > PARTS) {
      natures.saw(table, column.name(), new Nature(Kind.SPREAD, true, "spreads"));
    }
  }

  private String rangeSql(Table table, Column column) {
    String name = catalog.quoteColumn(column.name());
    String as = " AS " + catalog.textType() + ")";
    return "SELECT "
        + ("CAST(MIN(" + name + ")" + as + ", CAST(MAX(" + name + ")" + as)
        + (", CAST(COUNT(DISTINCT " + name + ")" + as + " FROM " + catalog.quote(table.name()));
  }

  private void texts(Table table, Column column, List<String> keys) {
    long uuids = keys.stream().filter(key -> UUID.matcher(key).matches()).count();
    if (uuids == keys.size()) {
      long ofTime = keys.stream().filter(Samples::beginsWithTime).count();
      natures.saw(
          table,
          column.name(),
          ofTime * 2 > keys.size()
              ? new Nature(
                  Kind.TIME_UUID,
                  true,
                  "has UUIDs of version 1, 6 or 7: " + ofTime + " of " + keys.size() + " sampled")
              : new Nature(Kind.SPREAD, true, "has random UUIDs"));
      return;
    }
    String prefix = commonPrefix(keys);
    if (prefix.length() >= PREFIX) {
      findings.accept(
          new Finding(
              Rule.COMMON_PREFIX,
              Severity.INFO,
              table.name(),
              null,
              column.name(),
              "begins all "
                  + keys.size()
                  + " sampled values of "
                  + column.name()
                  + " with '"
                  + prefix
                  + "'",
              List.of()));
    }
  }

  private static boolean beginsWithTime(String uuid) {
    char version = uuid.replace("-", "").charAt(12);
    return version == '1' || version == '6' || version == '7';
  }

  private static String commonPrefix(List<String> keys) {
    String prefix = keys.get(0);
    for (String key : keys) {
      int length = 0;
      while (length < Math.min(prefix.length(), key.length())
          && prefix.charAt(length) == key.charAt(length)) {
        length++;
      }
      prefix = prefix.substring(0, length);
    }
    return prefix;
  }
}
