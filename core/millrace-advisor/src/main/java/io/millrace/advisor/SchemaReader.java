package io.millrace.advisor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a schema from the database's own description. */
final class SchemaReader {

  private final Catalog catalog;
  private final SchemaQuery query;

  SchemaReader(Catalog catalog, SchemaQuery query) {
    this.catalog = catalog;
    this.query = query;
  }

  /** A row of text. */
  private record Row(List<@Nullable String> values) {

    String text(int column) {
      return Objects.requireNonNull(values.get(column), "column " + column);
    }

    @Nullable String orNull(int column) {
      String value = values.get(column);
      return value == null || value.isEmpty() ? null : value;
    }

    boolean yes(int column) {
      String value = values.get(column);
      return value != null
          && (value.equalsIgnoreCase("YES")
              || value.equalsIgnoreCase("true")
              || value.equalsIgnoreCase("t"));
    }

    String table() {
      return name(0, 1);
    }

    String name(int schema, int name) {
      String prefix = values.get(schema);
      return prefix == null || prefix.isEmpty() ? text(name) : prefix + "." + text(name);
    }
  }

  Schema read() {
    CatalogSql sql = catalog.sql();
    Map<String, List<Row>> columns = byTable(sql.columns());
    Map<String, List<Row>> indexes = byTable(sql.indexes());
    Map<String, List<Row>> foreignKeys = byTable(sql.foreignKeys());
    List<Table> tables = new ArrayList<>();
    for (Row row : rows(sql.tables())) {
      List<Row> indexed = indexes.getOrDefault(row.table(), List.of());
      String parent = row.orNull(2);
      String schema = row.orNull(0);
      tables.add(
          new Table(
              row.table(),
              parent == null || schema == null ? parent : schema + "." + parent,
              row.orNull(3),
              columns.getOrDefault(row.table(), List.of()).stream()
                  .map(SchemaReader::column)
                  .toList(),
              parts(indexed.stream().filter(each -> each.yes(3)).toList()),
              indexes(indexed, schema),
              foreignKeys(foreignKeys.getOrDefault(row.table(), List.of())),
              null));
    }
    return Schema.of(tables);
  }

  private static Column column(Row row) {
    return new Column(
        row.text(2),
        row.orNull(3) == null ? "?" : row.text(3),
        row.yes(4),
        row.orNull(5),
        row.orNull(6),
        row.yes(7),
        row.yes(8),
        row.yes(9) || row.text(3).equals("spanner.commit_timestamp"),
        row.yes(10));
  }

  private static List<KeyPart> parts(List<Row> rows) {
    return rows.stream()
        .filter(row -> !row.yes(10))
        .takeWhile(row -> row.orNull(7) != null)
        .map(row -> new KeyPart(row.text(7), row.yes(8)))
        .toList();
  }

  private static List<Index> indexes(List<Row> rows, @Nullable String schema) {
    List<Index> indexes = new ArrayList<>();
    grouped(rows.stream().filter(row -> !row.yes(3)).toList(), row -> row.text(2))
        .forEach(
            (name, columns) -> {
              if (parts(columns).isEmpty()) {
                return; // it leads with an expression
              }
              Row first = columns.stream().filter(row -> !row.yes(10)).findFirst().orElseThrow();
              String parent = first.orNull(6);
              indexes.add(
                  new Index(
                      schema == null ? name : schema + "." + name,
                      first.yes(4),
                      first.yes(5),
                      parent == null || schema == null ? parent : schema + "." + parent,
                      !first.yes(9),
                      parts(columns),
                      columns.stream().filter(row -> row.yes(10)).map(row -> row.text(7)).toList(),
                      null));
            });
    return indexes;
  }

  private static List<ForeignKey> foreignKeys(List<Row> rows) {
    return grouped(rows, row -> row.text(2)).values().stream()
        .map(
            columns ->
                new ForeignKey(
                    columns.stream().map(row -> row.text(3)).toList(), columns.get(0).name(4, 5)))
        .toList();
  }

  private Map<String, List<Row>> byTable(String sql) {
    return grouped(rows(sql), Row::table);
  }

  private static Map<String, List<Row>> grouped(List<Row> rows, Function<Row, String> key) {
    Map<String, List<Row>> groups = new LinkedHashMap<>();
    rows.forEach(row -> groups.computeIfAbsent(key.apply(row), any -> new ArrayList<>()).add(row));
    return groups;
  }

  private List<Row> rows(String sql) {
    return query.rows(sql.replace("TEXT_TYPE", catalog.textType())).stream().map(Row::new).toList();
  }
}
