package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nature of each column, judged once. What was seen in the data counts more than the schema.
 */
final class Natures {

  private final Catalog catalog;
  private final Map<Key, Nature> known = new HashMap<>();

  private final Map<String, GeneratedColumns> generated = new HashMap<>();

  private record Key(String table, String column) {}

  Natures(Catalog catalog) {
    this.catalog = catalog;
  }

  void saw(Table table, String column, Nature nature) {
    known.put(new Key(table.name(), column), nature);
  }

  Nature of(Table table, String column) {
    return known.computeIfAbsent(
        new Key(table.name(), column), key -> of(table, table.column(column)));
  }

  private Nature of(Table table, Column column) {
    return column.generated() == null
        ? Nature.of(column, table, catalog)
        : generated
            .computeIfAbsent(table.name(), any -> new GeneratedColumns(table, catalog))
            .of(column);
  }

  Kind kind(Table table, KeyPart part) {
    return of(table, part.column()).kind();
  }

  Nature first(Table table, List<KeyPart> parts) {
    return of(table, parts.get(0).column());
  }
}
