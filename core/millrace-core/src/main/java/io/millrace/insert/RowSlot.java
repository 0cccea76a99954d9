package io.millrace.insert;

import org.jspecify.annotations.Nullable;

/** The place of a row in its stream, from its arrival to its emission. One thread at a time. */
class RowSlot<T> {

  /** The row as it came. */
  final T row;

  /** The row's number in its stream, from 1. */
  final long position;

  /** The outcome of the row; null while it is not known, and if it will not be emitted. */
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

  /** Settles the row without an outcome to emit. */
  void drop() {
    outcome = null;
    settled = true;
  }
}
