package io.millrace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Elements that one thread puts in and takes out, oldest first, at a few plain loads and stores
 * each. Begins anew when it was emptied; until then what was taken out makes no room. It takes
 * memory as elements come.
 */
final class LocalQueue<T> {

  private static final int FIRST_SIZE = 4;
  private static final @Nullable Object[] NONE = {};

  private final int capacity;
  private @Nullable Object[] elements = NONE;
  private int first;
  private int end;

  /** How many were put in before it began anew the last time. */
  private long addedBeforeReset;

  LocalQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Puts an element in; false if there is no room for it now. */
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
      addedBeforeReset += end;
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
    return addedBeforeReset + end;
  }

  /** Exact for the thread that uses it; for others about so many. */
  int size() {
    return Math.max(0, end - first);
  }
}
