package io.millrace.advisor;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The identity columns of tables, as {@code table.column}. */
record Identities(Set<String> columns) {

  static final Identities NONE = new Identities(Set.of());

  /** Reads statements. */
  static Identities in(Catalog catalog, List<String> ddl) {
    DdlFile text = new DdlFile(Path.of("ddl"), String.join(";\n", ddl));
    Set<String> columns = new HashSet<>();
    for (Table table : SchemaFiles.of(catalog, List.of(text)).tables().values()) {
      table.columns().stream()
          .filter(Column::spread)
          .forEach(column -> columns.add(table.name() + "." + column.name()));
    }
    return new Identities(columns);
  }

  boolean has(String table, String column) {
    return columns.contains(table + "." + column);
  }
}
