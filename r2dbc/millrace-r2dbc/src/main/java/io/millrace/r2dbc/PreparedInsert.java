package io.millrace.r2dbc;

import io.millrace.insert.spi.PreparedRow;
import java.util.List;

/**
 * A row of an insert pipeline, and its columns.
 *
 * @param columns the names, in the order in which they were set
 * @param values in the order of the columns; see {@link ColumnValues}
 * @param bytes the approximate size of the values in a request
 * @param numbers those that it received in the transaction
 */
record PreparedInsert<T>(
    T row, List<String> columns, List<Object> values, long bytes, List<Long> numbers)
    implements PreparedRow<T> {

  PreparedInsert(T row, List<String> columns, List<Object> values) {
    this(row, columns, values, bytes(values), List.of());
  }

  PreparedInsert<T> withNumbers(List<Long> received) {
    return new PreparedInsert<>(row, columns, values, bytes, received);
  }

  private static long bytes(List<Object> values) {
    long bytes = 0;
    for (Object value : values) {
      bytes += ColumnValues.bytes(value);
    }
    return bytes;
  }

  /** A row that gets its columns later, in the transaction. */
  static <T> PreparedInsert<T> withoutColumns(T row) {
    return new PreparedInsert<>(row, List.of(), List.of());
  }

  @Override
  public long cells() {
    return values.size();
  }

  Object value(String column) {
    return values.get(columns.indexOf(column));
  }
}
