package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What is looked for in the secondary indexes of a table. */
final class IndexRules {

  private final Judging judging;
  private final Catalog catalog;
  private final Schema schema;
  private final Natures natures;
  private final Remedies remedies;
  private final Consumer<Finding> findings;

  IndexRules(Judging judging) {
    this.judging = judging;
    this.catalog = judging.catalog();
    this.schema = judging.schema();
    this.natures = judging.natures();
    this.remedies = new Remedies(catalog);
    this.findings = judging.findings();
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
    } else if (nature.kind() == Kind.MAYBE_TIME) {
      judging.maybeTime(table, index.first());
    } else if (nature.kind() == Kind.MAYBE_COUNTED && index.unique() && index.parts().size() == 1) {
      // Where rows share a number, it is usually that of another table.
      judging.maybeCounted(table, index.first());
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
    report(
        sharded ? Rule.INDEX_WITHOUT_SHARD : Rule.RISING_INDEX,
        nature.proven() ? Severity.ERROR : Severity.WARNING,
        table,
        index,
        "leads with " + index.first() + ", which " + nature.because(),
        sharded && catalog.isSpanner()
            ? remedies.indexBehind(table, index, table.key().get(0))
            : withShard(table, index, index.first()));
  }

  /**
   * The index behind a shard that is computed from its rising column, so that the index stays
   * unique and a read knows the shard. Spanner computes nothing from a commit timestamp: the shard
   * is then that of the table's key.
   */
  private List<String> withShard(Table table, Index index, String rising) {
    if (catalog.isSpanner() && !table.column(rising).commitTimestamp()) {
      return remedies.indexWithShard(table, index, rising);
    }
    if (catalog.isSpanner() && index.unique()) {
      return List.of(
          "A shard computed from another column would not keep the index unique: avoid such an"
              + " index.");
    }
    return table.columnsOf(table.key()).stream()
        .filter(column -> catalog.isSpanner())
        .filter(column -> !column.commitTimestamp())
        .findFirst()
        .map(column -> remedies.indexWithShard(table, index, column.name()))
        .orElseGet(() -> List.of("Put a shard before " + index.first() + ", or another column."));
  }

  private void fewValues(Table table, Index index, Nature nature) {
    // Entries with the same values are in the order of the table's key.
    List<KeyPart> parts = Stream.concat(index.parts().stream(), table.key().stream()).toList();
    judging
        .risingBehindFew(table, parts)
        .ifPresent(
            rising ->
                report(
                    Rule.FEW_VALUES,
                    Severity.WARNING,
                    table,
                    index,
                    "leads with "
                        + (index.first() + ", which " + nature.because())
                        + ("; within each value, " + rising.column() + " rises"),
                    withShard(table, index, rising.column())));
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
