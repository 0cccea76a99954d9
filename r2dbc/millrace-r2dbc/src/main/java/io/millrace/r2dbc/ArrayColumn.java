package io.millrace.r2dbc;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A column whose values are sent as an array.
 *
 * @param valueClass the class of all values
 * @param elementType the database's type of the elements, if the array is one parameter: {@code
 *     $1::bigint[]}. Null if each element is a parameter, {@code ARRAY[$1, $2]}, because the driver
 *     does not encode an array of them, or not reliably, or the type is the application's
 * @param hasNulls whether one of the values is null
 */
record ArrayColumn(Class<?> valueClass, @Nullable String elementType, boolean hasNulls) {

  /** The columns of rows; null if one of them cannot be an array. */
  static @Nullable List<ArrayColumn> of(
      List<? extends PreparedInsert<?>> sameColumns, ArrayTypes types) {
    List<ArrayColumn> columns = new ArrayList<>();
    for (int column = 0; column < sameColumns.get(0).columns().size(); column++) {
      ArrayColumn each = of(sameColumns, column, types);
      if (each == null) {
        return null;
      }
      columns.add(each);
    }
    return columns;
  }

  /**
   * A column; null if its values differ in class. The class of its nulls counts if there are no
   * values, or if each element is a parameter: the server must then find one type for all.
   */
  private static @Nullable ArrayColumn of(
      List<? extends PreparedInsert<?>> rows, int column, ArrayTypes types) {
    Class<?> ofValues = null;
    Class<?> ofNulls = null;
    boolean areNullsAlike = true;
    for (PreparedInsert<?> row : rows) {
      Object value = row.values().get(column);
      Class<?> ofNull = ColumnValues.typeOfNull(value);
      if (ofNull != null) {
        areNullsAlike &= ofNulls == null || ofNulls == ofNull;
        ofNulls = ofNull;
      } else if (ofValues == null) {
        ofValues = value.getClass();
      } else if (ofValues != value.getClass()) {
        return null;
      }
    }
    Class<?> ofAll = ofValues != null ? ofValues : ofNulls;
    if (ofAll == null || (ofValues == null && !areNullsAlike)) {
      return null;
    }
    String type = types.byClass().get(ofAll);
    boolean areAlike =
        ofNulls == null
            || (areNullsAlike && ofNulls != Object.class && ofNulls.isAssignableFrom(ofAll));
    return type != null || (areAlike && types.elements().test(ofAll))
        ? new ArrayColumn(ofAll, type, ofNulls != null)
        : null;
  }

  /** How many parameters each further row takes. */
  static int parametersOfRow(List<ArrayColumn> columns) {
    return (int) columns.stream().filter(column -> column.elementType == null).count();
  }

  /** A table of the rows, whose first parameter has that index. */
  static String unnest(List<ArrayColumn> columns, int rows, R2dbcDialect dialect, int first) {
    StringJoiner arrays = new StringJoiner(", ", "unnest(", ")");
    int index = first;
    for (ArrayColumn column : columns) {
      if (column.elementType == null) {
        arrays.add("ARRAY[" + InsertStatements.markers(dialect, index, rows) + "]");
        index += rows;
      } else {
        arrays.add(dialect.marker(index++) + "::" + column.elementType + "[]");
      }
    }
    return arrays.toString();
  }

  /** The parameters of the column with that index: its array, or each element. */
  <T> List<Object> parameters(List<PreparedInsert<T>> rows, int column) {
    if (elementType == null) {
      return rows.stream().map(row -> row.values().get(column)).toList();
    }
    @Nullable Object[] values = (Object[]) Array.newInstance(valueClass, rows.size());
    for (int row = 0; row < values.length; row++) {
      Object value = rows.get(row).values().get(column);
      values[row] = hasNulls && ColumnValues.typeOfNull(value) != null ? null : value;
    }
    return List.of((Object) values);
  }
}
