package io.millrace.advisor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables of a database, by name. */
record Schema(Map<String, Table> tables) {

  static Schema of(List<Table> tables) {
    Map<String, Table> byName = new LinkedHashMap<>();
    tables.forEach(table -> byName.put(table.name(), table));
    return new Schema(byName);
  }

  Optional<Table> table(@Nullable String name) {
    return Optional.ofNullable(name).map(tables::get);
  }

  /** The table at the root of the hierarchy that a table is interleaved in, maybe itself. */
  Table root(Table table) {
    Table root = table;
    for (Table parent = table; parent != null; parent = table(parent.parent()).orElse(null)) {
      root = parent;
    }
    return root;
  }

  /** How many columns of a table's key are its own, and not its parent's. */
  int inheritedColumns(Table table) {
    return table(table.parent()).map(parent -> parent.key().size()).orElse(0);
  }
}
