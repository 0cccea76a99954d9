package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * Elements that one thread puts in and takes out, oldest first, at a few plain loads and stores
 * each. Begins anew when it was emptied; until then what was taken out makes no room.
 */
final class Gathered<T> {

  private final @Nullable Object[] elements;
  private int first;
  private int end;

  /** How many were put in before it began anew the last time. */
  private long before;

  Gathered(int capacity) {
    elements = new Object[capacity];
  }

  /** Puts an element in; false if there is no room for it now. */
  boolean offer(T element) {
    if (end == elements.length) {
      return false;
    }
    elements[end++] = element;
    return true;
  }

  /** Takes the oldest element out; null if there is none. */
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
      before += end;
      first = 0;
      end = 0;
    }
    return element;
  }

  boolean isEmpty() {
    return first == end;
  }

  /** How many were put in so far. */
  long added() {
    return before + end;
  }

  /** Exact for the thread that uses it; for others about so many. */
  int size() {
    return Math.max(0, end - first);
  }
}
