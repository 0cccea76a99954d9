package io.millrace.r2dbc;

import java.util.List;
import java.util.function.BiConsumer;

/** Maps a row of an insert pipeline to its columns. Used by several threads at once. */
final class RowMapper<T> {

  private final BiConsumer<? super T, ? super InsertRow> function;

  /** The columns of the row that was mapped last. They need no second check in the next row. */
  private volatile List<String> columns = List.of();

  RowMapper(BiConsumer<? super T, ? super InsertRow> function) {
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
