package io.millrace.spanner.ddl;

import io.millrace.internal.ShownText;
import io.millrace.spanner.internal.Identifiers;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A shard column as requested: it names the columns it is derived from, which may not be known yet.
 *
 * @param name the column's own name
 * @param shards the divisor
 * @param signed whether shards have the sign of the hash
 * @param of the names of the columns to hash
 */
record ShardColumn(String name, long shards, boolean signed, List<String> of) {

  private static final long MAX_SHARDS = 1L << 31;

  /** A netstring takes four of the 1,000 arguments that a function may have in Spanner. */
  private static final int MAX_COLUMNS = 1_000 / 4;

  private static final Column.Source UNKNOWN =
      dialect -> {
        throw new IllegalStateException("the columns of a shard are not known yet");
      };

  ShardColumn {
    Identifiers.column("a shard", name);
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be from 1 to " + MAX_SHARDS + ", was " + shards);
    }
    Set<String> seen = new HashSet<>();
    for (String column : of) {
      Identifiers.column(
          "a column that shard " + ShownText.quote(name) + " is derived from", column);
      if (!seen.add(column)) {
        throw new IllegalArgumentException(
            "shard "
                + ShownText.quote(name)
                + " is derived from column "
                + ShownText.quote(column)
                + " twice");
      }
    }
    if (of.size() > MAX_COLUMNS) {
      throw new IllegalArgumentException(
          ("shard "
                  + ShownText.quote(name)
                  + " can be derived from at most "
                  + MAX_COLUMNS
                  + " columns in Spanner")
              + (", was from " + of.size()));
    }
    if (of.isEmpty()) {
      throw new IllegalArgumentException(
          "shard " + ShownText.quote(name) + " is derived from no column");
    }
  }

  /** A placeholder for the column. */
  Column unresolved() {
    return new Column(name, ColumnType.int64(), false, UNKNOWN);
  }

  /**
   * The column, once all others are known.
   *
   * @param table the columns of the table, shards still {@link #unresolved}
   * @param primaryKey the names of the columns of the primary key
   */
  Column resolve(Columns table, Collection<String> primaryKey) {
    List<Column> hashed = of.stream().map(column -> table.get(description(), column)).toList();
    hashed.forEach(this::checkSource);
    if (primaryKey.contains(name)) {
      checkOutsideKey(hashed.stream().filter(c -> !primaryKey.contains(c.name())).toList());
    }
    return new Column(
        name,
        ColumnType.int64(),
        hashed.stream().anyMatch(Column::nullable),
        new ShardExpression(shards, signed, hashed));
  }

  private void checkSource(Column column) {
    if (column.source() == UNKNOWN) {
      throw new IllegalArgumentException(
          description()
              + " cannot be derived from another shard, "
              + ShownText.quote(column.name()));
    }
    if (!column.type().canBeSharded()) {
      throw new IllegalArgumentException(
          (description() + " cannot be derived from column " + ShownText.quote(column.name()))
              + (" of type " + column.type()));
    }
  }

  /** Spanner's rules for a generated column of a primary key. The emulator accepts more. */
  private void checkOutsideKey(List<Column> outside) {
    if (outside.size() > 1) {
      throw new IllegalArgumentException(
          description()
              + " is in the primary key, so at most 1 of its columns may be outside, were "
              + outside.stream().map(Column::name).map(ShownText::name).toList());
    }
    for (Column column : outside) {
      if (column.source() != Column.Source.STATEMENTS) {
        throw new IllegalArgumentException(
            (description() + " is in the primary key, so column " + ShownText.quote(column.name()))
                + ", which has a default, must be in it too");
      }
    }
  }

  private String description() {
    return "shard " + ShownText.quote(name);
  }
}
