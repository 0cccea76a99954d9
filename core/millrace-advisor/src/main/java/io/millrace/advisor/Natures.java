package io.millrace.advisor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nature of each column. What was seen in the data counts more than the schema. */
final class Natures {

  private final Catalog catalog;
  private final Map<String, Nature> seen = new HashMap<>();

  Natures(Catalog catalog) {
    this.catalog = catalog;
  }

  void saw(Table table, String column, Nature nature) {
    seen.put(table.name() + "." + column, nature);
  }

  Nature of(Table table, String column) {
    Nature sampled = seen.get(table.name() + "." + column);
    return sampled == null ? Nature.of(table.column(column), table, catalog) : sampled;
  }

  Nature first(Table table, List<KeyPart> parts) {
    return of(table, parts.get(0).column());
  }
}
