package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is looked for in the primary key of a table. */
final class KeyRules {

  /** Spanner rejects a row whose key is longer, in bytes. */
  private static final int LONGEST = 8_192;

  private final Judging judging;
  private final Catalog catalog;
  private final Schema schema;
  private final Natures natures;
  private final Remedies remedies;
  private final Consumer<Finding> findings;

  KeyRules(Judging judging) {
    this.judging = judging;
    this.catalog = judging.catalog();
    this.schema = judging.schema();
    this.natures = judging.natures();
    this.remedies = new Remedies(catalog);
    this.findings = judging.findings();
  }

  void check(Table table) {
    if (table.key().isEmpty()) {
      return;
    }
    if (table.parent() == null) {
      first(table, table.key().get(0));
      interleaving(table);
    } else {
      underHotspot(table);
    }
    length(table);
  }

  private void first(Table table, KeyPart part) {
    Nature nature = natures.of(table, part.column());
    switch (nature.kind()) {
      case TIME, COUNTED -> rising(table, part, nature);
      case TIME_UUID ->
          report(
              Rule.TIME_UUID_KEY,
              severity(nature),
              table,
              part.column(),
              part.column() + ", the first column of the key, " + nature.because(),
              catalog.isSpanner()
                  ? remedies.withRandomUuids(table, part.column())
                  : List.of("Use a UUID of version 4."));
      case MAYBE_TIME -> judging.maybeTime(table, part.column());
      case MAYBE_COUNTED -> {
        if (table.key().size() == 1 || !identifiesAnotherTable(table, part)) {
          judging.maybeCounted(table, part.column());
        }
      }
      case FEW -> fewValues(table, part, nature);
      case SHARD, SPREAD, OPEN -> {}
    }
  }

  /** Whether the column has the name of the only key column of another table. */
  private boolean identifiesAnotherTable(Table table, KeyPart part) {
    return schema.tables().values().stream()
        .filter(other -> !other.name().equals(table.name()))
        .anyMatch(other -> other.keyNames().equals(List.of(part.column())));
  }

  private void rising(Table table, KeyPart part, Nature nature) {
    boolean log = nature.kind() == Kind.TIME && Words.of(table.name()).nameALog();
    report(
        log ? Rule.LOG_WITHOUT_SHARD : Rule.RISING_KEY,
        severity(nature),
        table,
        part.column(),
        part.column()
            + ", the first column of the key, "
            + nature.because()
            + (part.descending() ? "; descending, all new rows go to the start" : ""),
        catalog.isSpanner() ? spreadKey(table, part, nature) : advice(table, part));
  }

  /** Another column first if one spreads; else the database's own numbers; else a shard. */
  private List<String> spreadKey(Table table, KeyPart first, Nature nature) {
    Optional<KeyPart> other =
        table.key().stream().skip(1).filter(part -> mayLead(table, part)).findFirst();
    if (other.isPresent() && nature.kind() == Kind.TIME) {
      List<KeyPart> key = new ArrayList<>(table.key());
      key.remove(other.get());
      key.remove(first);
      key.add(0, other.get());
      key.add(1, new KeyPart(first.column(), catalog.hasDescendingKeys()));
      return remedies.withKey(table, key);
    }
    if (nature.kind() == Kind.COUNTED
        && table.key().size() == 1
        && table.column(first.column()).isWholeNumber()
        && table.column(first.column()).generated() == null) {
      return remedies.withBitReversedNumbers(table, first.column());
    }
    return remedies.withShard(table, first.column());
  }

  private boolean mayLead(Table table, KeyPart part) {
    Kind kind = natures.kind(table, part);
    return kind == Kind.OPEN || kind == Kind.SPREAD;
  }

  private static List<String> advice(Table table, KeyPart part) {
    return List.of(
        table.key().size() > 1
            ? "Put another column of the key first, or a shard computed from " + part.column() + "."
            : "Put a shard computed from "
                + part.column()
                + " before it, or store the number bit-reversed.");
  }

  private void fewValues(Table table, KeyPart part, Nature nature) {
    Optional<KeyPart> rising = judging.risingBehindFew(table, table.key());
    if (rising.isEmpty()) {
      return;
    }
    List<KeyPart> key = new ArrayList<>(table.key());
    Optional<KeyPart> other = key.stream().skip(1).filter(each -> mayLead(table, each)).findFirst();
    List<String> remedy = List.of("Put a column of the key with many values first.");
    if (catalog.isSpanner()) {
      if (other.isPresent()) {
        key.remove(other.get());
        key.add(0, other.get());
        remedy = remedies.withKey(table, key);
      } else {
        remedy = remedies.withShard(table, key.get(key.size() - 1).column());
      }
    }
    report(
        Rule.FEW_VALUES,
        Severity.WARNING,
        table,
        part.column(),
        part.column()
            + (", the first column of the key, " + nature.because())
            + ("; within each value, " + rising.get().column() + " rises"),
        remedy);
  }

  private void underHotspot(Table table) {
    Table root = schema.root(table).orElse(null);
    if (root == null || root.key().isEmpty()) {
      return;
    }
    Nature nature = natures.first(root, root.key());
    if (nature.kind().rises()) {
      String column = root.key().get(0).column();
      report(
          Rule.INTERLEAVED_IN_HOTSPOT,
          Severity.INFO,
          table,
          column,
          "is interleaved in "
              + root.name()
              + ", whose key begins with "
              + column
              + ", which "
              + nature.because(),
          List.of("Correct the key of " + root.name() + "."));
    }
  }

  private void interleaving(Table table) {
    if (!catalog.isSpanner()) {
      return;
    }
    for (ForeignKey reference : table.foreignKeys()) {
      Table parent = schema.table(reference.table()).orElse(null);
      if (parent == null || parent.name().equals(table.name()) || parent.key().isEmpty()) {
        continue;
      }
      int shared = parent.key().size();
      if (table.key().size() > shared
          && table.keyNames().subList(0, shared).equals(reference.columns())
          && parent.keyNames().equals(reference.columns())) {
        report(
            Rule.INTERLEAVE_CANDIDATE,
            Severity.INFO,
            table,
            reference.columns().get(0),
            "begins its key with that of " + parent.name() + ", and refers to it",
            List.of(
                "Add to CREATE TABLE "
                    + (catalog.quote(table.name()) + ": INTERLEAVE IN PARENT ")
                    + catalog.quote(parent.name())));
        return;
      }
    }
  }

  private void length(Table table) {
    long bytes =
        table.columnsOf(table.key()).stream()
            .mapToLong(Column::maxBytes)
            .filter(length -> length != Long.MAX_VALUE)
            .sum();
    if (bytes > LONGEST) {
      report(
          Rule.LONG_KEY,
          Severity.INFO,
          table,
          null,
          "may have a key of " + bytes + " characters and bytes",
          List.of());
    }
  }

  private static Severity severity(Nature nature) {
    return nature.proven() ? Severity.ERROR : Severity.WARNING;
  }

  private void report(
      Rule rule,
      Severity severity,
      Table table,
      @Nullable String column,
      String what,
      List<String> remedy) {
    findings.accept(new Finding(rule, severity, table.name(), null, column, what, remedy));
  }
}
