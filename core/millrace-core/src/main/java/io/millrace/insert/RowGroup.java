package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are written in one transaction, and then, in a stream, their outcomes.
 *
 * <p><b>Invariant.</b> Each row is emitted or discarded, once: the thread that moves {@link #next}
 * past it does that.
 */
final class RowGroup<T, P extends PreparedRow<T>> {

  private static final int DISCARDED = Integer.MAX_VALUE;

  /** The position of its first row in the stream, from 1. */
  final long first;

  /** When its first row arrived, in nanoseconds of the scheduler. */
  final long openedAt;

  private final List<P> rows = new ArrayList<>();
  private long cells;
  private long bytes;

  /** The index of the next outcome to emit, or {@link #DISCARDED}. */
  private final AtomicInteger next = new AtomicInteger();

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

  /** What is emitted of it; null if it is not written. */
  @Nullable List<InsertOutcome<T>> outcomes() {
    return outcomes;
  }

  /** Sets what is emitted of it; false if its rows are discarded. */
  synchronized boolean written(List<InsertOutcome<T>> toEmit) {
    if (next.get() == DISCARDED) {
      return false;
    }
    outcomes = toEmit;
    return true;
  }

  /** Whether there is an outcome to emit. */
  boolean hasNext() {
    List<InsertOutcome<T>> known = outcomes;
    return known != null && next.get() < known.size();
  }

  /** Takes an outcome to emit; null if there is none left. */
  @Nullable InsertOutcome<T> take() {
    List<InsertOutcome<T>> known = outcomes;
    for (; ; ) {
      int index = next.get();
      if (known == null || index >= known.size()) {
        return null;
      }
      if (next.compareAndSet(index, index + 1)) {
        return known.get(index);
      }
    }
  }

  /** Takes all rows that were not emitted. */
  synchronized List<T> takeRest() {
    int from = next.getAndSet(DISCARDED);
    List<InsertOutcome<T>> known = outcomes;
    return known == null
        ? rows.stream().skip(from).map(PreparedRow::row).toList()
        : known.stream().skip(from).map(InsertOutcome::row).toList();
  }
}
