package io.millrace.r2dbc;

import io.millrace.internal.ShownText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one row that {@link R2dbcInserts} writes. A column that is not set gets the
 * table's default. Only for use inside the function that sets the columns.
 */
public final class InsertRow {

  private final Map<String, InsertValue> values = new LinkedHashMap<>();

  InsertRow() {}

  /**
   * Sets a column.
   *
   * @param column the name as the database stores it; {@linkplain R2dbcDialect#quoteColumn its
   *     dialect} must accept it
   * @param value a value that the driver can bind
   * @return this
   * @throws IllegalArgumentException if {@code column} is empty, has control characters or dots, or
   *     is set already
   * @throws NullPointerException if {@code value} is null; {@link #set(String, Object, Class)}
   *     accepts null
   */
  public InsertRow set(String column, Object value) {
    Objects.requireNonNull(
        value,
        () ->
            "column "
                + ShownText.quote(column)
                + " is null: give its type, too, set(column, null, type)");
    return put(column, new InsertValue(value, value.getClass()));
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
    return put(column, new InsertValue(value, value == null ? type : value.getClass()));
  }

  private InsertRow put(String column, InsertValue value) {
    if (values.putIfAbsent(Identifiers.column("a column", column), value) != null) {
      throw new IllegalArgumentException("column " + ShownText.quote(column) + " is set twice");
    }
    return this;
  }

  Map<String, InsertValue> values() {
    return values;
  }
}
