package io.millrace.r2dbc;

import java.util.List;
import java.util.function.BiConsumer;

/** Maps a row of an insert pipeline to its columns. */
record RowMapper<T>(BiConsumer<? super T, ? super InsertRow> columns) {

  PreparedInsert<T> map(T row) {
    InsertRow handle = new InsertRow();
    columns.accept(row, handle);
    if (handle.values().isEmpty()) {
      throw new IllegalArgumentException("a row sets at least 1 column, and this one sets none");
    }
    return new PreparedInsert<>(
        row, List.copyOf(handle.values().keySet()), List.copyOf(handle.values().values()));
  }
}
