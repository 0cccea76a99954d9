package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.List;

/** Prepared rows, and their size in a commit. */
class Rows<T, P extends PreparedRow<T>> {

  private final List<P> rows = new ArrayList<>();
  private long cells;
  private long bytes;

  final List<P> rows() {
    return rows;
  }

  final int count() {
    return rows.size();
  }

  final long cells() {
    return cells;
  }

  final long bytes() {
    return bytes;
  }

  final void add(P row) {
    rows.add(row);
    cells += row.cells();
    bytes += row.bytes();
  }

  final void addAll(Rows<T, P> more) {
    rows.addAll(more.rows);
    cells += more.cells;
    bytes += more.bytes;
  }

  final boolean hasRoomFor(int moreRows, long moreCells, long moreBytes, InsertSettings<?> limits) {
    return moreRows <= limits.groupSize() - rows.size()
        && moreCells <= limits.maxCells() - cells
        && moreBytes <= limits.maxBytes() - bytes;
  }
}
