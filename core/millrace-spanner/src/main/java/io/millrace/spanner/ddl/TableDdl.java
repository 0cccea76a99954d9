package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.internal.ShownText;
import io.millrace.spanner.internal.Identifiers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generates the statement that creates a table whose key spreads its rows, in GoogleSQL and in
 * PostgreSQL.
 *
 * <pre>{@code
 * TableDdl log =
 *     TableDdl.named("UserAccessLog")
 *         .shardColumn("ShardId", 64, "LastAccess", "UserId")
 *         .column("LastAccess", ColumnType.timestamp())
 *         .column("UserId", ColumnType.string(36))
 *         .primaryKey("ShardId", "LastAccess", "UserId")
 *         .build();
 * String statement = log.toDdl(Dialect.GOOGLE_STANDARD_SQL);
 * }</pre>
 *
 * <p>Names are always quoted, so reserved words are allowed, and names are case-sensitive in
 * PostgreSQL. They have up to 128 characters, in PostgreSQL up to 63. Immutable; does not access a
 * database.
 */
public final class TableDdl {

  /**
   * Spanner's PostgreSQL parser refuses a statement with more casts or more operators than this.
   */
  private static final int MAX_OPERATIONS = 1_000;

  private final String name;
  private final Columns columns;
  private final KeyColumns primaryKey;
  private final @Nullable TableDdl parent;
  private final boolean cascade;

  TableDdl(TableDdlBuilder builder) {
    this.name = builder.name;
    this.columns = builder.columns();
    this.primaryKey =
        columns.key("the primary key of table " + ShownText.quote(name), builder.primaryKey);
    this.parent = builder.parent;
    this.cascade = builder.cascade;
    if (parent != null) {
      primaryKey.checkBeginsWith(parent.primaryKey);
    } else if (cascade) {
      throw new IllegalArgumentException(
          "table "
              + ShownText.quote(name)
              + " is not interleaved in another one, so no deletion cascades to it");
    }
  }

  /**
   * Returns a builder for a table.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters; a schema
   *     and a dot may precede it
   * @return a builder without columns
   * @throws IllegalArgumentException if {@code name} does not have that form
   */
  public static TableDdlBuilder named(String name) {
    return new TableDdlBuilder(Identifiers.table("the table", name));
  }

  /**
   * Returns the statement.
   *
   * @return a {@code CREATE TABLE} statement, without a semicolon
   * @throws IllegalArgumentException if {@code dialect} is PostgreSQL and the primary key has a
   *     descending column or one of type NUMERIC, a name has more than 63 characters, or the shards
   *     need more than 1,000 casts or operators, which Spanner does not support there
   */
  public String toDdl(Dialect dialect) {
    Objects.requireNonNull(dialect, "dialect");
    String create = "CREATE TABLE " + Identifiers.quote(dialect, name);
    String key = "PRIMARY KEY " + primaryKey.toDdl(dialect);
    if (dialect == Dialect.POSTGRESQL) {
      refuseDescending();
      String all = columns.toDdl(dialect);
      refuseAboveLimit("casts", count(all, "CAST("));
      refuseAboveLimit("operators", count(all, " || ") + count(all, " + "));
      return create + " (" + all + ", " + key + ")" + interleave(dialect, " ");
    }
    return create + " (" + columns.toDdl(dialect) + ") " + key + interleave(dialect, ", ");
  }

  private void refuseAboveLimit(String what, int needed) {
    if (needed > MAX_OPERATIONS) {
      throw new IllegalArgumentException(
          ("the shards of table "
                  + ShownText.quote(name)
                  + " need "
                  + needed
                  + " "
                  + what
                  + ", and Spanner takes")
              + (" at most " + MAX_OPERATIONS + " in a statement of PostgreSQL:")
              + " derive them from fewer columns");
    }
  }

  /** How often a word occurs in DDL; it must be one that cannot be part of a name. */
  private static int count(String ddl, String word) {
    int count = 0;
    for (int at = ddl.indexOf(word); at >= 0; at = ddl.indexOf(word, at + 1)) {
      count++;
    }
    return count;
  }

  private void refuseDescending() {
    for (KeyColumns.Part part : primaryKey.parts()) {
      if (part.descending()) {
        throw new IllegalArgumentException(
            (primaryKey.owner()
                    + " has column "
                    + ShownText.quote(part.column().name())
                    + " descending, which")
                + " Spanner cannot do in PostgreSQL: make it ascending, and create an index with"
                + " it descending (IndexDdl), or store a number in it that falls over time");
      }
    }
  }

  private String interleave(Dialect dialect, String before) {
    return parent == null
        ? ""
        : before
            + ("INTERLEAVE IN PARENT " + Identifiers.quote(dialect, parent.name))
            + (cascade ? " ON DELETE CASCADE" : "");
  }

  String name() {
    return name;
  }

  Columns columns() {
    return columns;
  }

  KeyColumns primaryKey() {
    return primaryKey;
  }

  /**
   * Whether this table is interleaved in the other one, directly or through tables between them.
   */
  boolean isBelow(TableDdl other) {
    return parent != null && (parent.name.equals(other.name) || parent.isBelow(other));
  }

  /** Returns the statement in GoogleSQL. */
  @Override
  public String toString() {
    return toDdl(Dialect.GOOGLE_STANDARD_SQL);
  }
}
