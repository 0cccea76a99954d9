package io.millrace.advisor;

import static io.millrace.advisor.Nature.Kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is looked for in the primary key of a table. */
final class KeyRules {

  /** Spanner rejects a row whose key is longer, in bytes. */
  private static final int LONGEST = 8_192;

  private final Judging judging;
  private final Natures natures;
  private final Remedies remedies;

  KeyRules(Judging judging) {
    this.judging = judging;
    this.natures = judging.natures();
    this.remedies = new Remedies(judging.dialect());
  }

  void check(Table table) {
    if (table.key().isEmpty()) {
      return;
    }
    if (table.parent() == null) {
      first(table, table.key().get(0));
    }
    length(table);
  }

  private void first(Table table, KeyPart part) {
    Nature nature = natures.of(table, part.column());
    switch (nature.kind()) {
      case TIME, COUNTED -> rising(table, part, nature, spreadKey(table, part, nature));
      case TIME_UUID ->
          rising(table, part, nature, remedies.withRandomUuids(table.column(part.column())));
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
    return judging.schema().tables().stream()
        .filter(other -> !other.name().equals(table.name()))
        .anyMatch(other -> other.keyNames().equals(List.of(part.column())));
  }

  private void rising(Table table, KeyPart part, Nature nature, String remedy) {
    report(
        Rule.RISING_KEY,
        nature.proven() ? Severity.ERROR : Severity.WARNING,
        table,
        part.column(),
        part.column()
            + ", the first column of the key, "
            + nature.because()
            + (part.descending() && nature.kind() != Kind.TIME_UUID
                ? "; descending, all new rows go to the start"
                : ""),
        List.of(remedy));
  }

  /** Another column first if one spreads; else the database's own numbers; else a shard. */
  private String spreadKey(Table table, KeyPart first, Nature nature) {
    Optional<KeyPart> other =
        table.key().stream().skip(1).filter(part -> mayLead(table, part)).findFirst();
    if (other.isPresent() && nature.kind() == Kind.TIME) {
      List<KeyPart> key = new ArrayList<>(table.key());
      key.remove(other.get());
      key.remove(first);
      key.add(0, other.get());
      // A key of PostgreSQL's dialect cannot descend.
      key.add(1, new KeyPart(first.column(), !judging.dialect().isPostgreSql()));
      return remedies.withKey(key);
    }
    Column column = table.column(first.column());
    if (nature.kind() == Kind.COUNTED
        && table.key().size() == 1
        && column.isWholeNumber()
        && column.generated() == null) {
      return remedies.withBitReversedNumbers(column);
    }
    return remedies.withShard(table, first.column());
  }

  private boolean mayLead(Table table, KeyPart part) {
    Kind kind = natures.kind(table, part);
    return kind == Kind.OPEN || kind == Kind.SPREAD;
  }

  private void fewValues(Table table, KeyPart part, Nature nature) {
    Optional<KeyPart> rising = judging.risingBehindFew(table, table.key());
    if (rising.isEmpty()) {
      return;
    }
    List<KeyPart> key = new ArrayList<>(table.key());
    Optional<KeyPart> other = key.stream().skip(1).filter(each -> mayLead(table, each)).findFirst();
    other.ifPresent(
        spread -> {
          key.remove(spread);
          key.add(0, spread);
        });
    report(
        Rule.FEW_VALUES,
        Severity.WARNING,
        table,
        part.column(),
        part.column()
            + (", the first column of the key, " + nature.because())
            + ("; within each value, " + rising.get().column() + " rises"),
        List.of(
            other.isPresent()
                ? remedies.withKey(key)
                : remedies.withShard(table, key.get(key.size() - 1).column())));
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

  private void report(
      Rule rule,
      Severity severity,
      Table table,
      @Nullable String column,
      String what,
      List<String> remedy) {
    judging
        .findings()
        .accept(
            new Finding(rule, severity, table.name(), null, column, what, remedy, table.place()));
  }
}
