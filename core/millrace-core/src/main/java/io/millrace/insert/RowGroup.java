package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a stream that are written in one transaction, and then their outcomes.
 *
 * <p><b>Invariant.</b> Each row is emitted, discarded, or named by the failure of the stream, once:
 * the thread that takes it does that.
 */
final class RowGroup<T, P extends PreparedRow<T>> extends Rows<T, P> {

  /** The position of its first row in the stream, from 1. */
  final long first;

  /** When its first row arrived, in nanoseconds of the scheduler. */
  final long openedAt;

  /** The only row, which could not be prepared; null for a group that is written. */
  final @Nullable Rejected<T> rejected;

  /** The outcomes to emit; null until they are known. Guarded by this. */
  private @Nullable Iterator<InsertOutcome<T>> outcomes;

  /** The outcomes that end the stream. Guarded by this. */
  private List<InsertOutcome<T>> failed = List.of();

  /** Guarded by this. */
  private boolean discarded;

  RowGroup(long first, long openedAt, @Nullable Rejected<T> rejected) {
    this.first = first;
    this.openedAt = openedAt;
    this.rejected = rejected;
  }

  synchronized void written(List<InsertOutcome<T>> toEmit, List<InsertOutcome<T>> toFail) {
    outcomes = toEmit.iterator();
    failed = toFail;
  }

  /** Whether there is an outcome to emit. */
  synchronized boolean hasNext() {
    return !discarded && outcomes != null && outcomes.hasNext();
  }

  /** Takes an outcome to emit; null if there is none left. */
  synchronized @Nullable InsertOutcome<T> take() {
    return !discarded && outcomes != null && outcomes.hasNext() ? outcomes.next() : null;
  }

  synchronized List<InsertOutcome<T>> failed() {
    return failed;
  }

  /** Takes all rows that were not emitted, to discard them. */
  synchronized List<T> takeRest() {
    List<T> rest = new ArrayList<>();
    if (!discarded && outcomes != null) {
      outcomes.forEachRemaining(outcome -> rest.add(outcome.row()));
      failed.forEach(outcome -> rest.add(outcome.row()));
    } else if (!discarded && rejected != null) {
      rest.add(rejected.row());
    } else if (!discarded) {
      rows.forEach(row -> rest.add(row.row()));
    }
    discarded = true;
    return rest;
  }
}
