package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a stream that are written in one transaction, and then their outcomes.
 *
 * <p><b>Invariant.</b> Each row is emitted, discarded, or named by the failure of the stream, once:
 * the thread that moves {@link #next} past it does that.
 */
final class RowGroup<T, P extends PreparedRow<T>> extends Rows<T, P> {

  private static final int DISCARDED = Integer.MAX_VALUE;

  /** The position of its first row in the stream, from 1. */
  final long first;

  /** When its first row arrived, in nanoseconds of the scheduler. */
  final long openedAt;

  /** The only row, which could not be prepared; null for a group that is written. */
  final @Nullable Rejected<T> rejected;

  /** The index of the next outcome to emit, or {@link #DISCARDED}. */
  private final AtomicInteger next = new AtomicInteger();

  /** The outcomes that end the stream. Written before {@link #outcomes}. */
  List<InsertOutcome<T>> failed = List.of();

  /** The outcomes to emit; null until they are known. */
  private volatile @Nullable List<InsertOutcome<T>> outcomes;

  RowGroup(long first, long openedAt, @Nullable Rejected<T> rejected) {
    this.first = first;
    this.openedAt = openedAt;
    this.rejected = rejected;
  }

  void written(List<InsertOutcome<T>> toEmit, List<InsertOutcome<T>> toFail) {
    failed = toFail;
    outcomes = toEmit;
  }

  /** Whether there is an outcome to emit. */
  boolean hasNext() {
    List<InsertOutcome<T>> known = outcomes;
    return known != null && next.get() < known.size();
  }

  /** Takes an outcome to emit, one thread at a time; null if there is none left. */
  @Nullable InsertOutcome<T> take() {
    List<InsertOutcome<T>> known = outcomes;
    int index = next.get();
    return known != null && index < known.size() && next.compareAndSet(index, index + 1)
        ? known.get(index)
        : null;
  }

  /** Takes all rows that were not emitted, to discard them. */
  List<T> takeRest() {
    int from = next.getAndSet(DISCARDED);
    List<InsertOutcome<T>> known = outcomes;
    if (from == DISCARDED) {
      return List.of();
    }
    if (known == null) {
      return rejected != null
          ? List.of(rejected.row())
          : rows.stream().map(PreparedRow::row).toList();
    }
    return Stream.concat(known.stream().skip(from), failed.stream())
        .map(InsertOutcome::row)
        .toList();
  }
}
