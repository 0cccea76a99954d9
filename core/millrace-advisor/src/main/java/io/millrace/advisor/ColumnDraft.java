package io.millrace.advisor;

import org.jspecify.annotations.Nullable;

/** A column as statements have defined it so far. */
final class ColumnDraft {

  final String name;
  String type;
  @Nullable String defaultValue;
  @Nullable String generated;
  boolean spread;
  boolean commitTimestamp;

  ColumnDraft(String name, String type) {
    this.name = name;
    this.type = type;
  }

  Column column() {
    return new Column(
        name,
        type,
        defaultValue,
        generated,
        spread,
        commitTimestamp || type.equalsIgnoreCase("spanner.commit_timestamp"));
  }
}
