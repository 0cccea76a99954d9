package io.millrace.advisor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A column as statements have defined it so far. */
final class ColumnDraft {

  final String name;
  String type;
  boolean nullable = true;
  @Nullable String defaultValue;
  @Nullable String generated;
  boolean spread;
  boolean commitTimestamp;

  /** The other clauses as they are written, by kind. A clause replaces one of its kind. */
  final Map<Object, String> clauses = new LinkedHashMap<>();

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
        commitTimestamp,
        String.join(" ", clauses.values()));
  }
}
