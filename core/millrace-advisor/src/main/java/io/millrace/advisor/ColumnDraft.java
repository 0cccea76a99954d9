package io.millrace.advisor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A column as statements have defined it so far. */
final class ColumnDraft {

  final String name;
  String type;
  boolean nullable = true;
  @Nullable String defaultValue;
  @Nullable String generated;
  boolean spread;

  /** The clause of an identity or a generated column. */
  @Nullable String value;

  /** The clause. */
  @Nullable String onUpdate;

  /** The other clauses as they are written. */
  final Set<String> clauses = new LinkedHashSet<>();

  /** The options that are set. */
  final Map<String, String> options = new LinkedHashMap<>();

  /** Alterations that change none of the other fields. */
  final List<String> alterations = new ArrayList<>();

  ColumnDraft(String name, String type) {
    this.name = name;
    this.type = type;
  }

  void notNull() {
    nullable = false;
  }

  Column column() {
    return new Column(
        name,
        type,
        nullable,
        defaultValue,
        generated,
        false,
        spread,
        type.equals("spanner.commit_timestamp")
            || "true".equalsIgnoreCase(options.get("allow_commit_timestamp")),
        clauses());
  }

  /** The clauses behind the default, in the order that Spanner wants. */
  private String clauses() {
    String set =
        options.entrySet().stream()
            .map(option -> option.getKey() + " = " + option.getValue())
            .collect(Collectors.joining(", "));
    return Stream.of(
            Stream.ofNullable(onUpdate),
            Stream.ofNullable(value),
            clauses.stream(),
            Stream.of("OPTIONS (" + set + ")").filter(any -> !set.isEmpty()))
        .flatMap(texts -> texts)
        .collect(Collectors.joining(" "));
  }
}
