package io.millrace.r2dbc;

import io.millrace.insert.spi.PreparedRow;
import java.util.List;

/**
 * A row of an insert pipeline, and its columns.
 *
 * @param columns the names, in the order in which they were set
 * @param values in the order of the columns
 */
record PreparedInsert<T>(T row, List<String> columns, List<InsertValue> values)
    implements PreparedRow<T> {

  /** A row that gets its columns later, in the transaction. */
  static <T> PreparedInsert<T> withoutColumns(T row) {
    return new PreparedInsert<>(row, List.of(), List.of());
  }

  @Override
  public long cells() {
    return values.size();
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (InsertValue value : values) {
      bytes += value.bytes();
    }
    return bytes;
  }

  InsertValue value(String column) {
    return values.get(columns.indexOf(column));
  }
}
