package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.List;

/** Rows that are written in one transaction. */
final class RowGroup<T, P extends PreparedRow<T>> {

  /** When its first row arrived, in nanoseconds of the scheduler's clock. */
  final long openedAt;

  final List<RowSlot<T>> slots = new ArrayList<>();
  private final List<P> rows = new ArrayList<>();
  private long cells;
  private long bytes;

  RowGroup(long openedAt) {
    this.openedAt = openedAt;
  }

  boolean hasRoomFor(P row, InsertSettings<?> limits) {
    return hasRoomFor(row.cells(), row.bytes(), limits);
  }

  boolean hasRoomFor(long moreCells, long moreBytes, InsertSettings<?> limits) {
    return moreCells <= limits.maxCells() - cells && moreBytes <= limits.maxBytes() - bytes;
  }

  void add(RowSlot<T> slot, P row) {
    slots.add(slot);
    rows.add(row);
    cells += row.cells();
    bytes += row.bytes();
  }

  int size() {
    return rows.size();
  }

  List<P> rows() {
    return rows;
  }
}
