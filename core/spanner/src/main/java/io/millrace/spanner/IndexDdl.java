package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The statement that creates an index, in GoogleSQL and in PostgreSQL. An index on a column that
 * rises or falls steadily is a hotspot like such a key: begin it with a shard column of its own, or
 * interleave it in a table whose key spreads.
 *
 * <pre>{@code
 * IndexDdl byTime =
 *     IndexDdl.on(log, "UserAccessLogByTime")
 *         .columns(KeyPart.ascending("ShardId"), KeyPart.descending("LastAccess"))
 *         .nullFiltered()
 *         .build();
 * }</pre>
 *
 * <p>Immutable; nothing here touches a database.
 */
public final class IndexDdl {

  private final TableDdl table;
  private final String name;
  private final KeyColumns columns;
  private final List<Column> stored;
  private final boolean unique;
  private final boolean nullFiltered;
  private final @Nullable TableDdl parent;

  private IndexDdl(Builder builder) {
    this.table = builder.table;
    this.name = builder.name;
    this.columns = table.columns().key("index '" + name + "'", builder.columns);
    this.stored = checkStored(builder.stored);
    this.unique = builder.unique;
    this.nullFiltered = builder.nullFiltered;
    this.parent = builder.parent;
    if (parent != null) {
      checkParent(parent);
    }
  }

  /**
   * Begins an index.
   *
   * @param table the table
   * @param name the index: a letter, then letters, digits and underscores, at most 128 characters.
   *     It is in the schema of the table
   * @return a builder without columns
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public static Builder on(TableDdl table, String name) {
    Objects.requireNonNull(table, "table");
    return new Builder(table, Identifiers.column("the index", name));
  }

  private List<Column> checkStored(List<String> names) {
    Set<String> seen = new HashSet<>();
    return names.stream()
        .map(
            column -> {
              if (!seen.add(column) || columns.has(column) || table.primaryKey().has(column)) {
                throw new IllegalArgumentException(
                    (columns.of() + " cannot store column '" + column)
                        + "', which is in it already: itself, or as part of the primary key");
              }
              return table.columns().get(columns.of(), column);
            })
        .toList();
  }

  private void checkParent(TableDdl ancestor) {
    if (!table.isBelow(ancestor)) {
      throw new IllegalArgumentException(
          (columns.of() + " can be interleaved only in a table that '" + table.name())
              + ("' is interleaved in, was '" + ancestor.name() + "'"));
    }
    columns.checkBeginsWith(ancestor.primaryKey());
  }

  /**
   * The statement.
   *
   * @param dialect the dialect of the database
   * @return a {@code CREATE INDEX} statement, without a semicolon
   * @throws IllegalArgumentException if {@code dialect} is PostgreSQL and the index has a column of
   *     type NUMERIC or a name of more than 63 characters, which Spanner does not have there
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

  /** The index's name has no schema here: it goes where its table is. */
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
    return " ON " + Identifiers.quote(dialect, table.name()) + " " + columns.in(dialect);
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

  /** The statement in GoogleSQL. */
  @Override
  public String toString() {
    return googleSql();
  }

  /** Collects the parts of an index; {@link #build} checks what they must agree on. */
  public static final class Builder {

    private final TableDdl table;
    private final String name;
    private List<KeyPart> columns = List.of();
    private List<String> stored = List.of();
    private boolean unique;
    private boolean nullFiltered;
    private @Nullable TableDdl parent;

    private Builder(TableDdl table, String name) {
      this.table = table;
      this.name = name;
    }

    /**
     * Sets the columns, all in rising order.
     *
     * @param columns their names, 1 to 16
     * @return this builder
     * @throws IllegalArgumentException if one of them is no name
     */
    public Builder columns(String... columns) {
      this.columns = Stream.of(columns).map(KeyPart::ascending).toList();
      return this;
    }

    /**
     * Sets the columns. They may be in falling order in both dialects.
     *
     * @param parts 1 to 16 columns
     * @return this builder
     */
    public Builder columns(KeyPart... parts) {
      this.columns = List.of(parts);
      return this;
    }

    /**
     * Keeps copies of other columns in the index, so that reading them needs no look at the table:
     * {@code STORING}, {@code INCLUDE}. Defaults to none.
     *
     * @param columns their names
     * @return this builder
     * @throws IllegalArgumentException if one of them is no name
     */
    public Builder storing(String... columns) {
      this.stored =
          Stream.of(columns).map(column -> Identifiers.column("a stored column", column)).toList();
      return this;
    }

    /**
     * Refuses a second row with the same values in all columns. Defaults to allowing it.
     *
     * @return this builder
     */
    public Builder unique() {
      this.unique = true;
      return this;
    }

    /**
     * Leaves out rows with null in one of the columns: {@code NULL_FILTERED}, or {@code WHERE ...
     * IS NOT NULL}. Defaults to having all rows.
     *
     * @return this builder
     */
    public Builder nullFiltered() {
      this.nullFiltered = true;
      return this;
    }

    /**
     * Puts the index's entries among the rows of a table that the indexed one is interleaved in.
     * The columns must begin with its primary key.
     *
     * @param ancestor the table
     * @return this builder
     */
    public Builder interleavedIn(TableDdl ancestor) {
      this.parent = Objects.requireNonNull(ancestor, "ancestor");
      return this;
    }

    /**
     * Builds the index.
     *
     * @return the index
     * @throws IllegalArgumentException if it has no column or more than 16, one twice, one that the
     *     table has not, or one of type JSON; if a stored column is not in the table, or in the
     *     index already; or if it is to be interleaved in a table that the indexed one does not
     *     stand below, or whose primary key the columns do not begin with, with the same names and
     *     order
     */
    public IndexDdl build() {
      return new IndexDdl(this);
    }
  }
}
