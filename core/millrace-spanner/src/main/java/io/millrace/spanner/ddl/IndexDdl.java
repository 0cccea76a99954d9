package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.internal.ShownText;
import io.millrace.spanner.internal.Identifiers;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Generates the statement that creates an index, in GoogleSQL and in PostgreSQL. An index on a
 * column that rises or falls steadily is a hotspot, like such a key. Begin the index with a shard
 * column, or interleave it in a table without a hotspot.
 *
 * <pre>{@code
 * IndexDdl byTime =
 *     IndexDdl.on(log, "UserAccessLogByTime")
 *         .columns(KeyColumn.ascending("ShardId"), KeyColumn.descending("LastAccess"))
 *         .nullFiltered()
 *         .build();
 * }</pre>
 *
 * <p>Immutable; does not access a database.
 */
public final class IndexDdl {

  private final TableDdl table;
  private final String name;
  private final KeyColumns columns;
  private final List<Column> stored;
  private final boolean unique;
  private final boolean nullFiltered;
  private final @Nullable TableDdl parent;

  IndexDdl(IndexDdlBuilder builder) {
    this.table = builder.table;
    this.name = builder.name;
    this.columns = table.columns().key("index " + ShownText.quote(name), builder.columns);
    this.stored = checkStored(builder.stored);
    this.unique = builder.unique;
    this.nullFiltered = builder.nullFiltered;
    this.parent = builder.parent;
    if (parent != null) {
      checkParent(parent);
    }
  }

  /**
   * Returns a builder for an index.
   *
   * @param name the index: a letter, then letters, digits and underscores, at most 128 characters.
   *     The index is in the schema of the table
   * @return a builder without columns
   * @throws IllegalArgumentException if {@code name} does not have that form
   */
  public static IndexDdlBuilder on(TableDdl table, String name) {
    Objects.requireNonNull(table, "table");
    return new IndexDdlBuilder(table, Identifiers.column("the index", name));
  }

  private List<Column> checkStored(List<String> names) {
    Set<String> seen = new HashSet<>();
    return names.stream()
        .map(
            column -> {
              if (!seen.add(column) || columns.has(column) || table.primaryKey().has(column)) {
                throw new IllegalArgumentException(
                    (columns.owner() + " cannot store column " + ShownText.quote(column))
                        + ", which is in it already: itself, or as part of the primary key");
              }
              return table.columns().get(columns.owner(), column);
            })
        .toList();
  }

  private void checkParent(TableDdl ancestor) {
    if (!table.isBelow(ancestor)) {
      throw new IllegalArgumentException(
          (columns.owner()
                  + " can be interleaved only in a table that "
                  + ShownText.quote(table.name()))
              + (" is interleaved in, was " + ShownText.quote(ancestor.name())));
    }
    columns.checkBeginsWith(ancestor.primaryKey());
  }

  /**
   * Returns the statement.
   *
   * @return a {@code CREATE INDEX} statement, without a semicolon
   * @throws IllegalArgumentException if {@code dialect} is PostgreSQL and the index has a column of
   *     type NUMERIC or a name of more than 63 characters, which Spanner does not support there
   */
  public String toDdl(Dialect dialect) {
    Objects.requireNonNull(dialect, "dialect");
    return dialect == Dialect.POSTGRESQL ? postgreSql() : googleSql();
  }

  private String googleSql() {
    Dialect dialect = Dialect.GOOGLE_STANDARD_SQL;
    int dot = table.name().indexOf('.');
    return "CREATE "
        + (unique ? "UNIQUE " : "")
        + (nullFiltered ? "NULL_FILTERED " : "")
        + ("INDEX " + Identifiers.quote(dialect, table.name().substring(0, dot + 1) + name))
        + on(dialect)
        + stored(dialect, " STORING (")
        + interleave(dialect, ", ");
  }

  /** The index's name has no schema here: the index is in the schema of its table. */
  private String postgreSql() {
    Dialect dialect = Dialect.POSTGRESQL;
    return "CREATE "
        + (unique ? "UNIQUE " : "")
        + ("INDEX " + Identifiers.quote(dialect, name))
        + on(dialect)
        + stored(dialect, " INCLUDE (")
        + interleave(dialect, " ")
        + (nullFiltered ? " WHERE " + notNull(dialect) : "");
  }

  private String on(Dialect dialect) {
    return " ON " + Identifiers.quote(dialect, table.name()) + " " + columns.toDdl(dialect);
  }

  private String stored(Dialect dialect, String before) {
    return stored.isEmpty()
        ? ""
        : stored.stream()
            .map(column -> Identifiers.quote(dialect, column.name()))
            .collect(Collectors.joining(", ", before, ")"));
  }

  private String interleave(Dialect dialect, String before) {
    return parent == null
        ? ""
        : before + "INTERLEAVE IN " + Identifiers.quote(dialect, parent.name());
  }

  private String notNull(Dialect dialect) {
    return columns.parts().stream()
        .map(part -> Identifiers.quote(dialect, part.column().name()) + " IS NOT NULL")
        .collect(Collectors.joining(" AND "));
  }

  /** Returns the statement in GoogleSQL. */
  @Override
  public String toString() {
    return googleSql();
  }
}
