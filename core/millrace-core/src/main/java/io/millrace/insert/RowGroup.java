package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Rows of a stream that are written in one transaction, and then their outcomes. */
final class RowGroup<T, P extends PreparedRow<T>> {

  /** The position of its first row in the stream, from 1. */
  final long first;

  /** When its first row arrived, in nanoseconds of the scheduler. */
  final long openedAt;

  private final List<P> rows = new ArrayList<>();
  private long cells;
  private long bytes;

  /** Set by the first of two: the emission of its rows, or their discard. */
  private final AtomicBoolean taken = new AtomicBoolean();

  /** What is emitted of it; null until it is written. */
  private volatile @Nullable List<InsertOutcome<T>> outcomes;

  RowGroup(long first, long openedAt) {
    this.first = first;
    this.openedAt = openedAt;
  }

  /** A row that is not written. */
  static <T, P extends PreparedRow<T>> RowGroup<T, P> rejected(
      long position, InsertOutcome.Rejected<T> row) {
    RowGroup<T, P> group = new RowGroup<>(position, 0);
    group.outcomes = List.of(row);
    return group;
  }

  boolean hasRoomFor(List<P> more, InsertSettings<?> limits) {
    long moreCells = 0;
    long moreBytes = 0;
    for (P row : more) {
      moreCells += row.cells();
      moreBytes += row.bytes();
    }
    return more.size() <= limits.groupSize() - rows.size()
        && hasRoomFor(moreCells, moreBytes, limits);
  }

  boolean hasRoomFor(long moreCells, long moreBytes, InsertSettings<?> limits) {
    return moreCells <= limits.maxCells() - cells && moreBytes <= limits.maxBytes() - bytes;
  }

  void add(P row) {
    rows.add(row);
    cells += row.cells();
    bytes += row.bytes();
  }

  List<P> rows() {
    return rows;
  }

  /** The outcome of each row to emit; null if it is not written. */
  @Nullable List<InsertOutcome<T>> outcomes() {
    return outcomes;
  }

  void written(List<InsertOutcome<T>> toEmit) {
    outcomes = toEmit;
  }

  /** Takes the rows, to emit or to discard them; false if that was done before. */
  boolean take() {
    return taken.compareAndSet(false, true);
  }

  /** The rows to discard. */
  List<T> held() {
    List<InsertOutcome<T>> known = outcomes;
    return known == null
        ? rows.stream().map(PreparedRow::row).toList()
        : known.stream().map(InsertOutcome::row).toList();
  }
}
