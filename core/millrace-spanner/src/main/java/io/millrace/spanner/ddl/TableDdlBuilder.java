package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.internal.ShownText;
import io.millrace.key.CompositeKey;
import io.millrace.spanner.internal.Identifiers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the columns of a table, in the order of the statement. Each setter checks its arguments
 * when it is called. {@link #build} checks that they agree, so columns may be named before they are
 * added.
 */
public final class TableDdlBuilder {

  final String name;
  final List<Column> columns = new ArrayList<>();

  /** Shard columns by name, until the columns they are derived from are known. */
  final Map<String, ShardColumn> shards = new HashMap<>();

  List<KeyColumn> primaryKey = List.of();
  @Nullable TableDdl parent;
  boolean cascade;

  TableDdlBuilder(String name) {
    this.name = name;
  }

  /**
   * Adds a column that is never null.
   *
   * @param column its name: a letter, then letters, digits and underscores, at most 128 characters
   * @param type its type
   * @return this builder
   * @throws IllegalArgumentException if {@code column} is not of that form, or is there already (in
   *     upper or lower case)
   */
  public TableDdlBuilder column(String column, ColumnType type) {
    return add(new Column(column, type, false, Column.Source.STATEMENTS));
  }

  /**
   * Adds a column that may be null. In PostgreSQL it is never null where it is part of the primary
   * key.
   *
   * @param column its name
   * @param type its type
   * @return this builder
   * @throws IllegalArgumentException if {@code column} is not a valid name, or is there already
   */
  public TableDdlBuilder nullableColumn(String column, ColumnType type) {
    return add(new Column(column, type, true, Column.Source.STATEMENTS));
  }

  /**
   * Adds a column, {@code INT64}, in which the server keeps each row's shard, from 0 to {@code
   * shards - 1}: {@code MOD(MOD(h, shards) + shards, shards)} of the hash h of other columns. As
   * the first column of a key, it spreads rows that are inserted in order of the others.
   *
   * <p>The hash is {@code FARM_FINGERPRINT}, {@code spanner.farm_fingerprint} in PostgreSQL. For
   * one column it hashes the bytes, or the text in UTF-8. {@code CAST} makes the text, so a
   * TIMESTAMP is written in the database's time zone. For several columns it hashes their texts as
   * netstrings, one after the other, with lengths in bytes: {@code 2:ab,1:c,}.
   *
   * <p>Null gives null: the shard column may be null if one of the others may. Statements cannot
   * write it.
   *
   * @param column its name
   * @param shards how many shards there are, from 1 to 2147483648
   * @param of the columns to hash, in this order: 1 to 250, of the types INT64, STRING, BYTES,
   *     BOOL, DATE and TIMESTAMP. By Spanner's rules for a shard in the primary key, at most one of
   *     them may be outside that key, and it must have no default
   * @return this builder
   * @throws IllegalArgumentException if {@code column} is not a valid name or is there already,
   *     {@code shards} is out of range, or {@code of} is empty, has more than 250 columns, names
   *     one twice or has an invalid name
   */
  public TableDdlBuilder shardColumn(String column, long shards, String... of) {
    return shard(new ShardColumn(column, shards, false, List.of(of)));
  }

  /**
   * Adds a column like {@link #shardColumn}, whose shard has the sign of the hash: {@code MOD(h,
   * shards)}, from {@code 1 - shards} to {@code shards - 1}, as Spanner's guide to schema design
   * writes it. So there are {@code 2 * shards - 1} shards, and a read over all of them has to read
   * as many.
   *
   * @param column its name
   * @param shards what the hash is divided by, from 1 to 2147483648
   * @param of the columns to hash
   * @return this builder
   * @throws IllegalArgumentException as {@link #shardColumn} does
   */
  public TableDdlBuilder signedShardColumn(String column, long shards, String... of) {
    return shard(new ShardColumn(column, shards, true, List.of(of)));
  }

  /**
   * Adds a column, {@code STRING(36)}, that defaults to a random UUID, version 4, made by the
   * server.
   *
   * @param column its name
   * @return this builder
   * @throws IllegalArgumentException if {@code column} is not a valid name, or is there already
   */
  public TableDdlBuilder uuidColumn(String column) {
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
   * @throws IllegalArgumentException if {@code column} is not a valid name, or is there already
   */
  public TableDdlBuilder sequenceColumn(String column, SequenceDdl sequence) {
    Objects.requireNonNull(sequence, "sequence");
    return numbered(
        column,
        dialect ->
            dialect == Dialect.POSTGRESQL
                ? " DEFAULT " + sequence.next(dialect)
                : " DEFAULT (" + sequence.next(dialect) + ")");
  }

  /**
   * Adds a column, {@code INT64}, that defaults to the next value of a counter of its own.
   *
   * @param column its name
   * @param counter how it counts
   * @return this builder
   * @throws IllegalArgumentException if {@code column} is not a valid name, or is there already
   */
  public TableDdlBuilder identityColumn(String column, BitReversedCounter counter) {
    Objects.requireNonNull(counter, "counter");
    return numbered(
        column, dialect -> " GENERATED BY DEFAULT AS IDENTITY (" + counter.toDdl(dialect) + ")");
  }

  /**
   * Sets the columns of the primary key, all in rising order.
   *
   * @param columns their names, 1 to 16
   * @return this builder
   * @throws IllegalArgumentException if one of them is not a valid name
   */
  public TableDdlBuilder primaryKey(String... columns) {
    this.primaryKey = Stream.of(columns).map(KeyColumn::ascending).toList();
    return this;
  }

  /**
   * Sets the columns of the primary key. In PostgreSQL, Spanner does not support falling order.
   *
   * @param parts 1 to 16 columns
   * @return this builder
   */
  public TableDdlBuilder primaryKey(KeyColumn... parts) {
    this.primaryKey = List.of(parts);
    return this;
  }

  /**
   * Sets the columns of the primary key to those of a key that also reads rows, with {@link
   * io.millrace.spanner.SpannerKeys}. So the two cannot differ. In PostgreSQL, Spanner does not
   * support falling order.
   *
   * @param key 1 to 16 columns
   * @return this builder
   * @throws IllegalArgumentException if one of them is not a valid name
   */
  public TableDdlBuilder primaryKey(CompositeKey<?> key) {
    this.primaryKey =
        key.columns().stream()
            .map(column -> new KeyColumn(column.name(), column.descending()))
            .toList();
    return this;
  }

  /**
   * Stores the rows with those of another table (interleaves them). The primary key of each row
   * begins with that of its parent row, which must exist.
   *
   * @param parent the table to interleave this one in
   * @return this builder
   */
  public TableDdlBuilder interleavedIn(TableDdl parent) {
    this.parent = Objects.requireNonNull(parent, "parent");
    return this;
  }

  /**
   * Deletes the rows together with their row of the parent. By default a row of the parent cannot
   * be deleted while they exist.
   *
   * @return this builder
   */
  public TableDdlBuilder onDeleteCascade() {
    this.cascade = true;
    return this;
  }

  /**
   * Builds the table.
   *
   * @return the table
   * @throws IllegalArgumentException if the primary key has no column or more than 16, one twice,
   *     or one of type JSON; if the key or a shard names a column that is not there; if a shard is
   *     derived from a column that Spanner cannot derive one from; if the primary key does not
   *     begin with that of the parent, with the same names, types, order and {@code NOT NULL}; or
   *     if deletions cascade without a parent
   */
  public TableDdl build() {
    return new TableDdl(this);
  }

  private TableDdlBuilder numbered(String column, Column.Source source) {
    return add(new Column(column, ColumnType.int64(), false, source));
  }

  private TableDdlBuilder add(Column column) {
    Identifiers.column("a column of table " + ShownText.quote(name), column.name());
    Objects.requireNonNull(column.type(), "type");
    for (Column other : columns) {
      if (other.name().equalsIgnoreCase(column.name())) {
        throw new IllegalArgumentException(
            ("table "
                    + ShownText.quote(name)
                    + " has column "
                    + ShownText.quote(other.name())
                    + " already, and case does not")
                + (" distinguish " + ShownText.quote(column.name())));
      }
    }
    columns.add(column);
    return this;
  }

  private TableDdlBuilder shard(ShardColumn shard) {
    add(shard.unresolved());
    shards.put(shard.name(), shard);
    return this;
  }

  Columns columns() {
    Columns table = new Columns(name, columns);
    List<String> key = primaryKey.stream().map(KeyColumn::column).toList();
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
