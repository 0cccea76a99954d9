package io.millrace.r2dbc;

import java.util.List;
import java.util.function.BiConsumer;

/** Maps a row to its columns, and checks that they fit into a statement. */
record InsertMapper<T>(BiConsumer<? super T, ? super InsertRow> columns) {

  PreparedInsert<T> map(T row) {
    InsertRow handle = new InsertRow();
    columns.accept(row, handle);
    int count = handle.values().size();
    if (count < 1 || count > InsertStatements.MOST_PARAMETERS) {
      throw new IllegalArgumentException(
          String.format(
              "a row sets 1 to %d columns, and this one sets %d: %s",
              InsertStatements.MOST_PARAMETERS, count, row));
    }
    return new PreparedInsert<>(
        row, List.copyOf(handle.values().keySet()), List.copyOf(handle.values().values()));
  }
}
