package io.millrace.advisor;

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
  boolean stored;

  ColumnDraft(String name, String type) {
    this.name = name;
    this.type = type;
  }

  void notNull() {
    nullable = false;
  }

  Column column() {
    return new Column(
        name, type, nullable, defaultValue, generated, false, spread, commitTimestamp, stored);
  }
}
