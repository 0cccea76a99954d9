package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.HashMap;
import java.util.Map;

/** The nature of each column, judged once. */
final class Natures {

  private final DdlDialect dialect;
  private final Map<Key, Nature> known = new HashMap<>();

  private final Map<String, GeneratedColumns> generated = new HashMap<>();

  private record Key(String table, String column) {}

  Natures(DdlDialect dialect) {
    this.dialect = dialect;
  }

  Nature of(Table table, String column) {
    return known.computeIfAbsent(
        new Key(table.name(), column), key -> of(table, table.column(column)));
  }

  private Nature of(Table table, Column column) {
    return column.generated() == null
        ? Nature.of(column, table, dialect)
        : generated
            .computeIfAbsent(table.name(), any -> new GeneratedColumns(table, dialect))
            .of(column);
  }

  Kind kind(Table table, KeyPart part) {
    return of(table, part.column()).kind();
  }
}
