package io.millrace.insert;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows on their way to the subscriber: in the ordered mode all rows in the order of their
 * arrival, otherwise the settled ones in the order in which they were settled. Drain loop only.
 */
final class OutputQueue<T> {

  private final boolean ordered;
  private final Queue<RowSlot<T>> queue = new ArrayDeque<>();

  OutputQueue(boolean ordered) {
    this.ordered = ordered;
  }

  void arrived(RowSlot<T> slot) {
    if (ordered) {
      queue.add(slot);
    }
  }

  void settled(RowSlot<T> slot) {
    if (!ordered) {
      queue.add(slot);
    }
  }

  /** The next row, if it is settled; otherwise null. */
  @Nullable RowSlot<T> peek() {
    RowSlot<T> first = queue.peek();
    return first != null && first.settled ? first : null;
  }

  void remove() {
    queue.remove();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Removes every row, and passes on those that could have been emitted. */
  void clear(Consumer<T> emittable) {
    for (RowSlot<T> slot : queue) {
      InsertOutcome<T> outcome = slot.outcome;
      if (outcome != null) {
        emittable.accept(outcome.row());
      }
    }
    queue.clear();
  }
}
