package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import io.millrace.key.CompositeKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The statement that creates a table whose key spreads its rows, in GoogleSQL and in PostgreSQL.
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
 * <p>Names are always quoted, so reserved words are allowed, and in PostgreSQL they keep their
 * case. They have up to 128 characters, in PostgreSQL up to 63. Immutable; nothing here touches a
 * database.
 */
public final class TableDdl {

  /** Spanner's parser of PostgreSQL refuses a statement with more casts, or more operators. */
  private static final int MOST_OPERATIONS = 1_000;

  private final String name;
  private final Columns columns;
  private final KeyColumns primaryKey;
  private final @Nullable TableDdl parent;
  private final boolean cascade;

  private TableDdl(Builder builder) {
    this.name = builder.name;
    this.columns = builder.columns();
    this.primaryKey = columns.key("the primary key of table '" + name + "'", builder.primaryKey);
    this.parent = builder.parent;
    this.cascade = builder.cascade;
    if (parent != null) {
      primaryKey.checkBeginsWith(parent.primaryKey);
    } else if (cascade) {
      throw new IllegalArgumentException(
          "table '" + name + "' is interleaved in no other, so no deletion cascades to it");
    }
  }

  /**
   * Begins a table.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters; a schema
   *     and a dot may stand before it
   * @return a builder without columns
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public static Builder named(String name) {
    return new Builder(Identifiers.table("the table", name));
  }

  /**
   * The statement.
   *
   * @param dialect the dialect of the database
   * @return a {@code CREATE TABLE} statement, without a semicolon
   * @throws IllegalArgumentException if {@code dialect} is PostgreSQL and the primary key has a
   *     descending column or one of type NUMERIC, a name has more than 63 characters, or the shards
   *     need more than 1,000 casts or operators, which Spanner does not have there
   */
  public String toDdl(Dialect dialect) {
    Objects.requireNonNull(dialect, "dialect");
    String create = "CREATE TABLE " + Identifiers.quote(dialect, name);
    String key = "PRIMARY KEY " + primaryKey.in(dialect);
    if (dialect == Dialect.POSTGRESQL) {
      refuseDescending();
      String all = columns.in(dialect);
      refuseAboveLimit("casts", count(all, "CAST("));
      refuseAboveLimit("operators", count(all, " || ") + count(all, " + "));
      return create + " (" + all + ", " + key + ")" + interleave(dialect, " ");
    }
    return create + " (" + columns.in(dialect) + ") " + key + interleave(dialect, ", ");
  }

  private void refuseAboveLimit(String what, int needed) {
    if (needed > MOST_OPERATIONS) {
      throw new IllegalArgumentException(
          ("the shards of table '" + name + "' need " + needed + " " + what + ", and Spanner takes")
              + (" at most " + MOST_OPERATIONS + " in a statement of PostgreSQL:")
              + " derive them from fewer columns");
    }
  }

  /** How often a word that is no part of a name stands in DDL. */
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
            (primaryKey.of() + " has column '" + part.column().name() + "' descending, which")
                + " Spanner cannot do in PostgreSQL: make it ascending, and create an index with"
                + " it descending (IndexDdl), or keep a number in it that falls as time rises");
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

  /** Whether the rows stand among those of the other table, or of one that stands among those. */
  boolean isBelow(TableDdl other) {
    return parent != null && (parent.name.equals(other.name) || parent.isBelow(other));
  }

  /** The statement in GoogleSQL. */
  @Override
  public String toString() {
    return toDdl(Dialect.GOOGLE_STANDARD_SQL);
  }

  /**
   * Collects the columns of a table, in the order of the statement. Each setter checks its
   * arguments when it is called; what several of them must agree on, {@link #build} checks, so
   * columns may be named before they are added.
   */
  public static final class Builder {

    private final String name;
    private final List<Column> columns = new ArrayList<>();

    /** Shard columns by name, until what they are derived from is known. */
    private final Map<String, ShardColumn> shards = new HashMap<>();

    private List<KeyPart> primaryKey = List.of();
    private @Nullable TableDdl parent;
    private boolean cascade;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Adds a column that is never null.
     *
     * @param column its name: a letter, then letters, digits and underscores, at most 128
     *     characters
     * @param type its type
     * @return this builder
     * @throws IllegalArgumentException if {@code column} is not of that form, or is there already,
     *     in whatever case
     */
    public Builder column(String column, ColumnType type) {
      return add(new Column(column, type, false, Column.Source.STATEMENTS));
    }

    /**
     * Adds a column that may be null. In PostgreSQL it is never null where it is part of the
     * primary key.
     *
     * @param column its name
     * @param type its type
     * @return this builder
     * @throws IllegalArgumentException if {@code column} is no name, or is there already
     */
    public Builder nullableColumn(String column, ColumnType type) {
      return add(new Column(column, type, true, Column.Source.STATEMENTS));
    }

    /**
     * Adds a column, {@code INT64}, in which the server keeps each row's shard, from 0 to {@code
     * shards - 1}: {@code MOD(MOD(h, shards) + shards, shards)} of the hash h of other columns. As
     * the first column of a key, it spreads rows that are inserted in order of the others.
     *
     * <p>The hash is {@code FARM_FINGERPRINT}, {@code spanner.farm_fingerprint} in PostgreSQL. Of
     * one column it hashes the bytes or the text, in UTF-8; {@code CAST} makes the text, so that of
     * a TIMESTAMP is in the database's time zone. Of several columns it hashes the texts as
     * netstrings one behind the other, {@code 2:ab,1:c,}, their lengths in bytes.
     *
     * <p>Null gives null: the shard column may be null if one of the others may. Statements cannot
     * write it.
     *
     * @param column its name
     * @param shards how many shards there are, from 1 to 2147483648
     * @param of the columns to hash, in this order: 1 to 250, of the types INT64, STRING, BYTES,
     *     BOOL, DATE and TIMESTAMP. As Spanner rules for a shard in the primary key, at most one of
     *     them may be outside that key, and then it has no default
     * @return this builder
     * @throws IllegalArgumentException if {@code column} is no name or is there already, {@code
     *     shards} is out of range, or {@code of} is empty, has more than 250 columns, names one
     *     twice or has one that is no name
     */
    public Builder shardColumn(String column, long shards, String... of) {
      return shard(new ShardColumn(column, shards, false, List.of(of)));
    }

    /**
     * Adds a column like {@link #shardColumn}, whose shard has the sign of the hash: {@code MOD(h,
     * shards)}, from {@code 1 - shards} to {@code shards - 1}, as Spanner's guide to schema design
     * writes it. So there are {@code 2 * shards - 1} of them, and one over all shards has to read
     * as many.
     *
     * @param column its name
     * @param shards what the hash is divided by, from 1 to 2147483648
     * @param of the columns to hash
     * @return this builder
     * @throws IllegalArgumentException as {@link #shardColumn} does
     */
    public Builder signedShardColumn(String column, long shards, String... of) {
      return shard(new ShardColumn(column, shards, true, List.of(of)));
    }

    /**
     * Adds a column, {@code STRING(36)}, that defaults to a random UUID, version 4, made by the
     * server.
     *
     * @param column its name
     * @return this builder
     * @throws IllegalArgumentException if {@code column} is no name, or is there already
     */
    public Builder uuidColumn(String column) {
      return add(
          new Column(
              column,
              ColumnType.string(36),
              false,
              dialect ->
                  dialect == Dialect.POSTGRESQL
                      ? " DEFAULT spanner.generate_uuid()"
                      : " DEFAULT (GENERATE_UUID())"));
    }

    /**
     * Adds a column, {@code INT64}, that defaults to the next value of a sequence, which must be
     * created before.
     *
     * @param column its name
     * @param sequence the sequence
     * @return this builder
     * @throws IllegalArgumentException if {@code column} is no name, or is there already
     */
    public Builder sequenceColumn(String column, SequenceDdl sequence) {
      Objects.requireNonNull(sequence, "sequence");
      return add(
          new Column(
              column,
              ColumnType.int64(),
              false,
              dialect ->
                  dialect == Dialect.POSTGRESQL
                      ? " DEFAULT " + sequence.next(dialect)
                      : " DEFAULT (" + sequence.next(dialect) + ")"));
    }

    /**
     * Adds a column, {@code INT64}, that defaults to the next value of a counter of its own.
     *
     * @param column its name
     * @param counter how it counts
     * @return this builder
     * @throws IllegalArgumentException if {@code column} is no name, or is there already
     */
    public Builder identityColumn(String column, BitReversedCounter counter) {
      Objects.requireNonNull(counter, "counter");
      return add(
          new Column(
              column,
              ColumnType.int64(),
              false,
              dialect -> " GENERATED BY DEFAULT AS IDENTITY (" + counter.in(dialect) + ")"));
    }

    /**
     * Sets the columns of the primary key, all in rising order.
     *
     * @param columns their names, 1 to 16
     * @return this builder
     * @throws IllegalArgumentException if one of them is no name
     */
    public Builder primaryKey(String... columns) {
      this.primaryKey = Stream.of(columns).map(KeyPart::ascending).toList();
      return this;
    }

    /**
     * Sets the columns of the primary key. In PostgreSQL, Spanner has none in falling order.
     *
     * @param parts 1 to 16 columns
     * @return this builder
     */
    public Builder primaryKey(KeyPart... parts) {
      this.primaryKey = List.of(parts);
      return this;
    }

    /**
     * Sets the columns of the primary key to those of a key that rows are also read by, with {@link
     * SpannerKeys}: so the two cannot differ. In PostgreSQL, Spanner has none in falling order.
     *
     * @param key 1 to 16 columns
     * @return this builder
     * @throws IllegalArgumentException if one of them is no name
     */
    public Builder primaryKey(CompositeKey<?> key) {
      this.primaryKey =
          key.columns().stream()
              .map(column -> new KeyPart(column.name(), column.descending()))
              .toList();
      return this;
    }

    /**
     * Puts the rows among those of another table: each beside the one whose primary key its own
     * begins with, and which must exist.
     *
     * @param parent the table to interleave this one in
     * @return this builder
     */
    public Builder interleavedIn(TableDdl parent) {
      this.parent = Objects.requireNonNull(parent, "parent");
      return this;
    }

    /**
     * Lets the rows go with the row of the parent that they stand beside. Defaults to refusing to
     * delete that one while they are there.
     *
     * @return this builder
     */
    public Builder onDeleteCascade() {
      this.cascade = true;
      return this;
    }

    /**
     * Builds the table.
     *
     * @return the table
     * @throws IllegalArgumentException if the primary key has no column or more than 16, one twice,
     *     or one of type JSON; if it or a shard names a column that is not there; if a shard is
     *     derived from what Spanner derives none from; if the primary key does not begin with that
     *     of the parent, with the same names, types, order and {@code NOT NULL}; or if deletions
     *     cascade and there is no parent
     */
    public TableDdl build() {
      return new TableDdl(this);
    }

    private Builder add(Column column) {
      Identifiers.column("a column of table '" + name + "'", column.name());
      Objects.requireNonNull(column.type(), "type");
      for (Column other : columns) {
        if (other.name().equalsIgnoreCase(column.name())) {
          throw new IllegalArgumentException(
              ("table '" + name + "' has column '" + other.name() + "' already, and case does not")
                  + (" distinguish '" + column.name() + "'"));
        }
      }
      columns.add(column);
      return this;
    }

    private Builder shard(ShardColumn shard) {
      add(shard.unresolved());
      shards.put(shard.name(), shard);
      return this;
    }

    private Columns columns() {
      Columns table = new Columns(name, columns);
      List<String> key = primaryKey.stream().map(KeyPart::column).toList();
      return new Columns(
          name,
          columns.stream()
              .map(
                  column -> {
                    ShardColumn shard = shards.get(column.name());
                    return shard == null ? column : shard.resolve(table, key);
                  })
              .toList());
    }
  }
}
