package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.List;
import java.util.stream.Stream;

/** What is looked for in the secondary indexes of a table. */
final class IndexRules {

  private final Judging judging;
  private final Natures natures;
  private final Remedies remedies;

  IndexRules(Judging judging) {
    this.judging = judging;
    this.natures = judging.natures();
    this.remedies = new Remedies(judging.dialect());
  }

  void check(Table table) {
    table.indexes().stream()
        .filter(index -> index.parent() == null && !beginsLikeTheKey(table, index))
        .forEach(index -> check(table, index));
  }

  private void check(Table table, Index index) {
    Nature nature = natures.of(table, index.first());
    if (nature.kind().rises()) {
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
            && natures.kind(table, table.key().get(0)) == Kind.SHARD;
    report(
        Rule.RISING_INDEX,
        nature.proven() ? Severity.ERROR : Severity.WARNING,
        table,
        index,
        "leads with " + index.first() + ", which " + nature.because(),
        sharded
            ? remedies.indexBehind(table, index, table.key().get(0).column())
            : withShard(table, index, index.first()));
  }

  /**
   * The index behind a shard that is computed from its rising column, so that the index stays
   * unique and a read knows the shard. Spanner computes nothing from a commit timestamp: the shard
   * is then that of the table's key.
   */
  private List<String> withShard(Table table, Index index, String rising) {
    if (!table.column(rising).commitTimestamp()) {
      return remedies.indexWithShard(table, index, rising);
    }
    if (index.unique()) {
      return List.of(
          "A shard computed from another column would not keep the index unique: avoid such an"
              + " index.");
    }
    return table.columnsOf(table.key()).stream()
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

  private void report(
      Rule rule, Severity severity, Table table, Index index, String what, List<String> remedy) {
    judging
        .findings()
        .accept(
            new Finding(
                rule,
                severity,
                table.name(),
                index.name(),
                index.first(),
                what,
                remedy,
                index.place()));
  }
}
