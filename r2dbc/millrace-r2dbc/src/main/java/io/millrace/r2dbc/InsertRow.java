package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one row that {@link R2dbcInserts} writes. A column that is not set receives the
 * table's default. Valid only inside the function that sets the columns.
 */
public final class InsertRow {

  /** Maps a row of an insert pipeline to its columns. Used by several threads at once. */
  static final class Mapper<T> {

    private final BiConsumer<? super T, ? super InsertRow> function;

    /** The columns of the row that was mapped last. They need no second check in the next row. */
    private volatile List<String> columns = List.of();

    Mapper(BiConsumer<? super T, ? super InsertRow> function) {
      this.function = function;
    }

    PreparedInsert<T> map(T row) {
      List<String> before = columns;
      InsertRow handle = new InsertRow(before);
      function.accept(row, handle);
      PreparedInsert<T> prepared = handle.prepared(row);
      if (prepared.columns() != before) {
        columns = prepared.columns();
      }
      return prepared;
    }
  }

  /** The columns of an earlier row, which are checked. Most rows set the same ones. */
  private final List<String> known;

  /** Null once the function has returned. */
  private @Nullable List<Object> values;

  /** The columns that are set; null while they are the first of those known. */
  private @Nullable Set<String> columns;

  InsertRow(List<String> known) {
    this.known = known;
    this.values = new ArrayList<>(known.size());
  }

  /**
   * Sets a column.
   *
   * @param column the name as the database stores it; {@linkplain R2dbcDialect#quoteColumn its
   *     dialect} must accept it
   * @param value a value that the driver can bind
   * @throws IllegalArgumentException if {@code column} is empty, contains control characters or
   *     dots, or is already set
   * @throws IllegalStateException if the function that sets the columns has returned
   * @throws NullPointerException if {@code value} is null; {@link #set(String, Object, Class)}
   *     accepts null
   */
  public InsertRow set(String column, Object value) {
    Objects.requireNonNull(
        value,
        () ->
            "column "
                + LogSafe.quote(column)
                + " is null: pass its type as well, as in set(column, null, type)");
    return put(column, value);
  }

  /**
   * Sets a column that may be null.
   *
   * @param column the name, as for {@link #set(String, Object)}
   * @param value a value that the driver can bind, or null
   * @param type the type of the column's values, which drivers need for a null
   * @throws IllegalArgumentException as for {@link #set(String, Object)}
   * @throws IllegalStateException as for {@link #set(String, Object)}
   */
  public <V> InsertRow set(String column, @Nullable V value, Class<V> type) {
    Objects.requireNonNull(type, "type");
    return put(column, ColumnValues.of(value, type));
  }

  private InsertRow put(String column, Object value) {
    List<Object> set = values;
    if (set == null) {
      throw new IllegalStateException(
          "column "
              + LogSafe.quote(column)
              + " is set too late: the function that sets the columns has returned");
    }
    int index = set.size();
    if (columns != null || index >= known.size() || !known.get(index).equals(column)) {
      NameRule.column("a column", column);
      if (columns == null) {
        columns = new LinkedHashSet<>(known.subList(0, index));
      }
      if (!columns.add(column)) {
        throw new IllegalArgumentException("column " + LogSafe.quote(column) + " is set twice");
      }
    }
    set.add(value);
    return this;
  }

  /**
   * The row, whose columns can be set no more. It has the list of the earlier row's columns if they
   * are the same.
   *
   * @throws IllegalArgumentException if it has no columns
   */
  <T> PreparedInsert<T> prepared(T row) {
    List<Object> set = Objects.requireNonNull(values, "values");
    if (set.isEmpty()) {
      throw new IllegalArgumentException(
          "a row must set at least 1 column, and this one sets none");
    }
    values = null;
    List<String> names =
        columns != null
            ? List.copyOf(columns)
            : set.size() == known.size() ? known : List.copyOf(known.subList(0, set.size()));
    return new PreparedInsert<>(row, names, set);
  }
}
