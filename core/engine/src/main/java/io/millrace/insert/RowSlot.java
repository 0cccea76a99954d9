package io.millrace.insert;

import org.jspecify.annotations.Nullable;

/** The place of a row in its stream, from its arrival to its emission; drain loop only. */
final class RowSlot<T> {

  /** The row as it came. */
  final T row;

  /** The row's number in its stream, from 1. */
  final long position;

  /** What became of the row; null while that is not known, and where it is not to be emitted. */
  @Nullable InsertOutcome<T> outcome;

  /** Whether nothing more will happen to the row. */
  boolean settled;

  RowSlot(T row, long position) {
    this.row = row;
    this.position = position;
  }

  void settle(InsertOutcome<T> result) {
    outcome = result;
    settled = true;
  }

  /** Settles the row without anything to emit. */
  void drop() {
    outcome = null;
    settled = true;
  }
}
