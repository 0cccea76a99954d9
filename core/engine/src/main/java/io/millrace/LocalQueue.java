package io.millrace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A queue for one thread, oldest element first, with a few plain loads and stores for each call.
 * Elements that were taken out make room only when the queue becomes empty. Memory grows as
 * elements come.
 */
final class LocalQueue<T> {

  private static final int FIRST_SIZE = 4;
  private static final @Nullable Object[] EMPTY = {};

  private final int capacity;
  private @Nullable Object[] elements = EMPTY;
  private int first;
  private int end;

  /** How many were put in before the queue was last empty. */
  private long addedBeforeReset;

  LocalQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Adds an element. Returns false if there is no room for it now. */
  boolean offer(T element) {
    if (end == elements.length && !grow()) {
      return false;
    }
    elements[end++] = element;
    return true;
  }

  private boolean grow() {
    if (end == capacity) {
      return false;
    }
    elements = Arrays.copyOf(elements, Math.min(capacity, Math.max(FIRST_SIZE, 4 * end)));
    return true;
  }

  /** Removes the oldest element. Returns null if there is none. */
  @SuppressWarnings("unchecked")
  @Nullable T poll() {
    int at = first;
    if (at == end) {
      return null;
    }
    T element = (T) elements[at];
    elements[at] = null;
    first = at + 1;
    if (first == end) {
      addedBeforeReset += end;
      first = 0;
      end = 0;
    }
    return element;
  }

  boolean isEmpty() {
    return first == end;
  }

  /** How many elements were added so far. */
  long added() {
    return addedBeforeReset + end;
  }

  /** Exact for the thread that uses the queue; approximate for others. */
  int size() {
    return Math.max(0, end - first);
  }
}
