package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a stream that are written in one transaction, and then their outcomes.
 *
 * <p><b>Invariant.</b> Each row is emitted, discarded, or named by the failure of the stream, once:
 * the thread that moves {@link #state} to {@link #TAKEN} has the outcomes to emit or the rows to
 * discard. The rows of {@link #failed} belong to the failure.
 */
final class RowGroup<T, P extends PreparedRow<T>> extends Rows<T, P> {

  private static final int WRITING = 0;
  private static final int WRITTEN = 1;
  private static final int TAKEN = 2;

  /** The position of its first row in the stream, from 1. */
  final long first;

  /** When its first row arrived, in nanoseconds of the scheduler. */
  final long openedAt;

  /** The only row, which could not be prepared; null for a group that is written. */
  final @Nullable Rejected<T> rejected;

  private final AtomicInteger state = new AtomicInteger(WRITING);

  /** The outcomes to emit. Set before the group is {@link #WRITTEN}. */
  List<InsertOutcome<T>> outcomes = List.of();

  /** The outcomes that end the stream. Set with {@link #outcomes}. */
  List<InsertOutcome<T>> failed = List.of();

  RowGroup(long first, long openedAt, @Nullable Rejected<T> rejected) {
    this.first = first;
    this.openedAt = openedAt;
    this.rejected = rejected;
  }

  /** Sets the outcomes. Returns false if all rows were discarded meanwhile. */
  boolean written(List<InsertOutcome<T>> toEmit, List<InsertOutcome<T>> toFail) {
    outcomes = toEmit;
    failed = toFail;
    return state.compareAndSet(WRITING, WRITTEN);
  }

  /** Takes the outcomes to emit; none if they were taken to be discarded. */
  Iterator<InsertOutcome<T>> takeOutcomes() {
    return state.compareAndSet(WRITTEN, TAKEN) ? outcomes.iterator() : Collections.emptyIterator();
  }

  /** Takes the rows to discard; none if the outcomes were taken. */
  List<T> takeRows() {
    int before = state.getAndSet(TAKEN);
    if (before == WRITTEN) {
      return outcomes.stream().map(InsertOutcome::row).toList();
    }
    if (before == TAKEN) {
      return List.of();
    }
    return rejected != null
        ? List.of(rejected.row())
        : rows.stream().map(PreparedRow::row).toList();
  }
}
