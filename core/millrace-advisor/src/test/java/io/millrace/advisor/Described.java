package io.millrace.advisor;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes a schema in lines that are easy to compare, without the places in files. */
final class Described {

  private Described() {}

  static SortedMap<String, List<String>> tables(Schema schema) {
    SortedMap<String, List<String>> tables = new TreeMap<>();
    schema.tables().values().forEach(table -> tables.put(table.name(), table(table)));
    return tables;
  }

  private static List<String> table(Table table) {
    List<String> lines = new java.util.ArrayList<>();
    lines.add("parent " + table.parent());
    lines.add("policy " + spaced(table.deletionPolicy()));
    table.columns().forEach(column -> lines.add("column " + column(column)));
    lines.add("key " + table.key());
    table.indexes().stream().map(Described::index).sorted().forEach(lines::add);
    table.foreignKeys().stream().map(each -> "refers " + each).sorted().forEach(lines::add);
    return lines;
  }

  private static Column column(Column column) {
    return new Column(
        column.name(),
        column.type().replaceAll("\\(vector_length.*", ""),
        column.nullable(),
        spaced(column.defaultValue()),
        spaced(column.generated()),
        column.counted(),
        column.spread(),
        column.commitTimestamp(),
        column.stored());
  }

  private static String index(Index index) {
    return "index "
        + new Index(
            index.name(),
            index.unique(),
            index.nullFiltered(),
            index.parent(),
            index.withoutNull(),
            index.parts(),
            index.stored().stream().sorted().collect(Collectors.toList()),
            null);
  }

  /** Spanner writes expressions with other space, and those of PostgreSQL with casts. */
  private static @Nullable String spaced(@Nullable String expression) {
    return expression == null
        ? null
        : expression
            .replaceAll("::[a-z ]+", "")
            .replaceAll("\\s+", "")
            .replaceAll("'(-?[0-9.]+)'", "$1")
            .toLowerCase(Locale.ROOT);
  }
}
