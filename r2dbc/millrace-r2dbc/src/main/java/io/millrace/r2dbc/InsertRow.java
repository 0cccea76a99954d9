package io.millrace.r2dbc;

import io.millrace.internal.ShownText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one row that {@link R2dbcInserts} writes. A column that is not set receives the
 * table's default. Valid only inside the function that sets the columns.
 */
public final class InsertRow {

  /** The columns of an earlier row, which are checked. Most rows set the same ones. */
  private final List<String> expected;

  private final List<Object> values;

  /** The columns that are set; null while they are the first of those expected. */
  private @Nullable Set<String> columns;

  InsertRow(List<String> expected) {
    this.expected = expected;
    this.values = new ArrayList<>(expected.size());
  }

  /**
   * Sets a column.
   *
   * @param column the name as the database stores it; {@linkplain R2dbcDialect#quoteColumn its
   *     dialect} must accept it
   * @param value a value that the driver can bind
   * @return this
   * @throws IllegalArgumentException if {@code column} is empty, contains control characters or
   *     dots, or is already set
   * @throws NullPointerException if {@code value} is null; {@link #set(String, Object, Class)}
   *     accepts null
   */
  public InsertRow set(String column, Object value) {
    Objects.requireNonNull(
        value,
        () ->
            "column "
                + ShownText.quote(column)
                + " is null: pass its type as well, as in set(column, null, type)");
    return put(column, value);
  }

  /**
   * Sets a column that may be null.
   *
   * @param column the name, as for {@link #set(String, Object)}
   * @param value a value that the driver can bind, or null
   * @param type the type of the column's values, which drivers need for a null
   * @param <V> the type
   * @return this
   * @throws IllegalArgumentException as for {@link #set(String, Object)}
   */
  public <V> InsertRow set(String column, @Nullable V value, Class<V> type) {
    Objects.requireNonNull(type, "type");
    return put(column, InsertValue.of(value, type));
  }

  private InsertRow put(String column, Object value) {
    int index = values.size();
    if (columns == null && index < expected.size() && expected.get(index).equals(column)) {
      values.add(value);
      return this;
    }
    Identifiers.column("a column", column);
    if (columns == null) {
      columns = new LinkedHashSet<>(expected.subList(0, index));
    }
    if (!columns.add(column)) {
      throw new IllegalArgumentException("column " + ShownText.quote(column) + " is set twice");
    }
    values.add(value);
    return this;
  }

  /** The columns that are set; the same list as the earlier row's if they are the same. */
  List<String> columns() {
    if (columns != null) {
      return List.copyOf(columns);
    }
    return values.size() == expected.size()
        ? expected
        : List.copyOf(expected.subList(0, values.size()));
  }

  /** Their values, in the same order; see {@link InsertValue}. */
  List<Object> values() {
    return List.copyOf(values);
  }
}
