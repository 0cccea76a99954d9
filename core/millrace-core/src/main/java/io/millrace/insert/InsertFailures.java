package io.millrace.insert;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The failed groups of a stream that ends with its first failure; drain loop only. */
final class InsertFailures<T> {

  private record Failure<T>(List<T> rows, long first, boolean unknown, Throwable cause) {

    InsertFailedException toException(long committed) {
      return new InsertFailedException(rows, first, unknown, committed, cause);
    }
  }

  private final List<Failure<T>> failures = new ArrayList<>();

  boolean isEmpty() {
    return failures.isEmpty();
  }

  /** Moves the rows of a group that are not committed to the failures. They will not be emitted. */
  void takeFrom(List<RowSlot<T>> group) {
    List<T> rows = new ArrayList<>();
    boolean unknown = false;
    Throwable cause = null;
    long first = 0;
    for (RowSlot<T> slot : group) {
      Throwable reason = reasonOf(slot.outcome);
      if (reason != null) {
        rows.add(slot.row);
        unknown |= slot.outcome instanceof InsertOutcome.Unknown;
        cause = cause == null ? reason : cause;
        first = first == 0 ? slot.position : first;
        slot.drop();
      }
    }
    if (cause != null) {
      failures.add(new Failure<>(rows, first, unknown, cause));
    }
  }

  private static @Nullable Throwable reasonOf(@Nullable InsertOutcome<?> outcome) {
    if (outcome instanceof InsertOutcome.Rejected<?> rejected) {
      return rejected.reason();
    }
    return outcome instanceof InsertOutcome.Unknown<?> unknown ? unknown.reason() : null;
  }

  /** The first failure, with the others suppressed. */
  InsertFailedException toException(long committed) {
    InsertFailedException first = failures.get(0).toException(committed);
    failures.stream()
        .skip(1)
        .forEach(failure -> first.addSuppressed(failure.toException(committed)));
    return first;
  }

  /** Removes every row. */
  void clear(Consumer<T> removed) {
    failures.forEach(failure -> failure.rows().forEach(removed));
    failures.clear();
  }
}
