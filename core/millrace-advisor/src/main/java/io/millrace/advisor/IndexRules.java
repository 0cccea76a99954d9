package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.List;
import java.util.function.Consumer;

/** What is looked for in the secondary indexes of a table. */
final class IndexRules {

  private final Catalog catalog;
  private final Schema schema;
  private final Natures natures;
  private final Remedies remedies;
  private final Consumer<Finding> findings;

  IndexRules(Catalog catalog, Schema schema, Natures natures, Consumer<Finding> findings) {
    this.catalog = catalog;
    this.schema = schema;
    this.natures = natures;
    this.remedies = new Remedies(catalog);
    this.findings = findings;
  }

  void check(Table table) {
    for (Index index : table.indexes()) {
      if (index.parent() == null) {
        check(table, index);
      }
    }
  }

  private void check(Table table, Index index) {
    Nature nature = natures.of(table, index.first());
    if (beginsLikeTheKey(table, index)) {
      interleaving(table, index);
    } else if (nature.kind().rises()) {
      rising(table, index, nature);
    } else if (nature.kind() == Kind.FEW) {
      fewValues(table, index, nature);
    } else {
      nullFiltering(table, index);
    }
  }

  /** What is to be said of the first column of such an index is said of the table. */
  private static boolean beginsLikeTheKey(Table table, Index index) {
    return !table.key().isEmpty() && index.first().equals(table.key().get(0).column());
  }

  private void rising(Table table, Index index, Nature nature) {
    boolean sharded =
        table.parent() == null
            && !table.key().isEmpty()
            && natures.first(table, table.key()).kind() == Kind.SHARD;
    List<String> remedy;
    if (!catalog.isSpanner()) {
      remedy = List.of("Put a shard before " + index.first() + ", or another column.");
    } else if (sharded) {
      remedy = remedies.indexBehind(table, index, table.key().get(0));
    } else if (index.unique() && table.column(index.first()).commitTimestamp()) {
      remedy =
          List.of(
              "A shard computed from another column would not keep the index unique: avoid such"
                  + " an index.");
    } else {
      remedy = remedies.indexWithShard(table, index, hashed(table, index));
    }
    report(
        sharded ? Rule.INDEX_WITHOUT_SHARD : Rule.RISING_INDEX,
        nature.proven() ? Severity.ERROR : Severity.WARNING,
        table,
        index,
        "leads with " + index.first() + ", which " + nature.because(),
        remedy);
  }

  /**
   * What the shard of an index is computed from: the indexed column, so that it stays unique and a
   * read knows the shard. Spanner computes nothing from a commit timestamp.
   */
  private String hashed(Table table, Index index) {
    if (!table.column(index.first()).commitTimestamp()) {
      return index.first();
    }
    return table.columns().stream()
        .filter(column -> table.keyNames().contains(column.name()))
        .filter(column -> !column.commitTimestamp() && column.generated() == null)
        .map(Column::name)
        .findFirst()
        .orElse(index.first());
  }

  private void fewValues(Table table, Index index, Nature nature) {
    String second = index.parts().size() < 2 ? null : index.parts().get(1).column();
    boolean risesWithin = second != null && natures.of(table, second).kind().rises();
    report(
        Rule.FEW_VALUES,
        risesWithin ? Severity.WARNING : Severity.INFO,
        table,
        index,
        "leads with "
            + index.first()
            + ", which "
            + nature.because()
            + (risesWithin ? "; within each value, " + second + " rises" : ""),
        second != null
                && risesWithin
                && catalog.isSpanner()
                && !table.column(second).commitTimestamp()
            ? remedies.indexWithShard(table, index, second)
            : List.of("Put a column with many values first, or a shard."));
  }

  private void nullFiltering(Table table, Index index) {
    Column first = table.column(index.first());
    if (catalog.isSpanner()
        && first.nullable()
        && !index.withoutNull()
        && first.generated() == null) {
      report(
          Rule.NULL_FILTERED_CANDIDATE,
          Severity.INFO,
          table,
          index,
          "contains a row for each row of "
              + table.name()
              + ", though "
              + index.first()
              + " may be null",
          remedies.indexWithoutNulls(table, index));
    }
  }

  private void interleaving(Table table, Index index) {
    schema
        .table(table.parent())
        .filter(parent -> risesBehind(table, index, parent))
        .ifPresent(
            parent ->
                report(
                    Rule.INTERLEAVED_INDEX_CANDIDATE,
                    Severity.INFO,
                    table,
                    index,
                    "begins with the key of "
                        + parent.name()
                        + ", in which "
                        + table.name()
                        + " is interleaved, and then rises",
                    remedies.indexOn(table, index, index.parts(), parent.name())));
  }

  /**
   * Whether a rising column follows the parent's key, so that each parent has an end of its own.
   */
  private boolean risesBehind(Table table, Index index, Table parent) {
    int shared = parent.key().size();
    List<String> columns = index.parts().stream().map(KeyPart::column).toList();
    return columns.size() > shared
        && columns.subList(0, shared).equals(parent.keyNames())
        && natures.of(table, columns.get(shared)).kind().rises();
  }

  private void report(
      Rule rule, Severity severity, Table table, Index index, String what, List<String> remedy) {
    findings.accept(
        new Finding(rule, severity, table.name(), index.name(), index.first(), what, remedy));
  }
}
