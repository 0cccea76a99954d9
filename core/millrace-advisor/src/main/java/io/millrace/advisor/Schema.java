package io.millrace.advisor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database.
 *
 * @param tables the tables by name
 * @param notes what was left out of files, in sentences
 * @param suppressions the findings that comments in files call harmless
 */
record Schema(Map<String, Table> tables, List<String> notes, List<Suppression> suppressions) {

  static Schema of(List<Table> tables, List<String> notes, List<Suppression> suppressions) {
    Map<String, Table> byName = new LinkedHashMap<>();
    tables.forEach(table -> byName.put(table.name(), table));
    return new Schema(byName, List.copyOf(notes), List.copyOf(suppressions));
  }

  /** Where a finding is: the line of the primary key, or of the index. */
  @Nullable Place place(Finding finding) {
    Table table = tables.get(finding.table());
    if (table == null || finding.index() == null) {
      return table == null ? null : table.place();
    }
    return table.indexes().stream()
        .filter(index -> index.name().equals(finding.index()))
        .findFirst()
        .map(Index::place)
        .orElse(null);
  }

  Optional<Table> table(@Nullable String name) {
    return Optional.ofNullable(name).map(tables::get);
  }

  /**
   * The table at the root of the hierarchy that a table is interleaved in, maybe itself; empty if
   * it is not known, because the files do not create it.
   */
  Optional<Table> root(Table table) {
    return table.parent() == null ? Optional.of(table) : table(table.parent()).flatMap(this::root);
  }
}
