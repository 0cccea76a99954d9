package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.List;

/** Prepared rows, and their size in a commit. */
class Rows<T, P extends PreparedRow<T>> {

  final List<P> rows = new ArrayList<>();
  long cells;
  long bytes;

  final void add(P row) {
    rows.add(row);
    cells += row.cells();
    bytes += row.bytes();
  }

  final void addAll(Rows<T, P> more) {
    more.rows.forEach(this::add);
  }

  final boolean hasRoomFor(int moreRows, long moreCells, long moreBytes, InsertSettings<?> limits) {
    return moreRows <= limits.groupSize() - rows.size()
        && moreCells <= limits.maxCells() - cells
        && moreBytes <= limits.maxBytes() - bytes;
  }
}
