package io.millrace.r2dbc;

import io.millrace.insert.spi.PreparedRow;
import java.util.List;

/**
 * A row of an insert pipeline, and its columns.
 *
 * @param columns the names, in the order in which they were set
 * @param values in the order of the columns
 * @param bytes the approximate size of the values in a request
 */
record PreparedInsert<T>(T row, List<String> columns, List<InsertValue> values, long bytes)
    implements PreparedRow<T> {

  PreparedInsert(T row, List<String> columns, List<InsertValue> values) {
    this(row, columns, values, bytes(values));
  }

  private static long bytes(List<InsertValue> values) {
    long bytes = 0;
    for (InsertValue value : values) {
      bytes += value.bytes();
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

  InsertValue value(String column) {
    return values.get(columns.indexOf(column));
  }
}
