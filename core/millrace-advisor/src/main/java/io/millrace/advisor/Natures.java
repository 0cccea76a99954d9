package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /**
   * The first column behind the leading ones with few values, if it rises: the rows with one
   * combination of these values are then inserted at one end.
   */
  Optional<KeyPart> risingBehindFew(Table table, List<KeyPart> parts) {
    return parts.stream()
        .dropWhile(part -> of(table, part.column()).kind() == Kind.FEW)
        .findFirst()
        .filter(part -> of(table, part.column()).kind().rises());
  }
}
