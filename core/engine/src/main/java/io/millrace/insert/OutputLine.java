package io.millrace.insert;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows on their way to the subscriber: in the ordered mode all rows in the order of their
 * arrival, otherwise the settled ones in the order in which they were settled. Drain loop only.
 */
final class OutputLine<T> {

  private final boolean ordered;
  private final Queue<RowSlot<T>> line = new ArrayDeque<>();

  OutputLine(boolean ordered) {
    this.ordered = ordered;
  }

  void arrived(RowSlot<T> slot) {
    if (ordered) {
      line.add(slot);
    }
  }

  void settled(RowSlot<T> slot) {
    if (!ordered) {
      line.add(slot);
    }
  }

  /** The next row, if it is settled; otherwise null. */
  @Nullable RowSlot<T> peek() {
    RowSlot<T> first = line.peek();
    return first != null && first.settled ? first : null;
  }

  void remove() {
    line.remove();
  }

  boolean isEmpty() {
    return line.isEmpty();
  }

  /** Removes every row, and passes on those that could have been emitted. */
  void clear(Consumer<T> emittable) {
    for (RowSlot<T> slot : line) {
      InsertOutcome<T> outcome = slot.outcome;
      if (outcome != null) {
        emittable.accept(outcome.row());
      }
    }
    line.clear();
  }
}
