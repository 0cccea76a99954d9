package io.millrace;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generators in the order of their noted use, a heap. The first generator has the smallest noted
 * use. The noted use is the number of the latest use when the generator was added. If the generator
 * was used again since, {@link #renewFirst} notes the later use. So a use itself costs nothing
 * here.
 *
 * <p><b>Invariant.</b> {@code uses[i]} is not above the latest use of {@code heap[i]}, nor above
 * {@code uses[j]} for any child {@code j}. {@code heap[i].orderIndex} is {@code i}, and -1 for a
 * generator that is not in here. So if the latest use of the first generator is its noted use, it
 * is the least recently used of all. Used by one thread at a time.
 */
final class IdleOrder {

  /** Eight keys fill one cache line of a processor. */
  private static final int CHILDREN = 8;

  private @Nullable LiveGenerator[] heap = new LiveGenerator[2 * CHILDREN];
  private long[] uses = new long[2 * CHILDREN];
  private int size;

  @Nullable LiveGenerator first() {
    return heap[0];
  }

  /** The noted use of the first generator, or {@link Long#MAX_VALUE} if there is none. */
  long firstUse() {
    return size == 0 ? Long.MAX_VALUE : uses[0];
  }

  int size() {
    return size;
  }

  /** Adds a generator, unless it is in here already. */
  void add(LiveGenerator added) {
    if (added.orderIndex >= 0) {
      return;
    }
    if (size == heap.length) {
      long[] longer = Arrays.copyOf(uses, 2 * size);
      heap = Arrays.copyOf(heap, 2 * size);
      uses = longer;
    }
    moveUp(size++, added, added.lastUse());
  }

  /** Removes a generator, if it is in here. */
  void remove(LiveGenerator removed) {
    int at = removed.orderIndex;
    if (at < 0) {
      return;
    }
    LiveGenerator last = Objects.requireNonNull(heap[--size]);
    heap[size] = null;
    removed.orderIndex = -1;
    if (last != removed) {
      long use = uses[size];
      if (at > 0 && use < uses[parent(at)]) {
        moveUp(at, last, use);
      } else {
        moveDown(at, last, use);
      }
    }
  }

  /** Notes the latest use of the first generator, and moves it down to where it belongs. */
  void renewFirst() {
    LiveGenerator renewed = Objects.requireNonNull(heap[0]);
    moveDown(0, renewed, renewed.lastUse());
  }

  private static int parent(int of) {
    return (of - 1) / CHILDREN;
  }

  private void moveUp(int from, LiveGenerator moved, long use) {
    int at = from;
    while (at > 0 && uses[parent(at)] > use) {
      put(at, Objects.requireNonNull(heap[parent(at)]), uses[parent(at)]);
      at = parent(at);
    }
    put(at, moved, use);
  }

  private void moveDown(int from, LiveGenerator moved, long use) {
    int at = from;
    for (int child = leastChild(at); child > 0 && uses[child] < use; child = leastChild(at)) {
      put(at, Objects.requireNonNull(heap[child]), uses[child]);
      at = child;
    }
    put(at, moved, use);
  }

  /** The child with the smallest noted use; 0, which is never a child, if there is none. */
  private int leastChild(int of) {
    int first = of * CHILDREN + 1;
    int end = Math.min(first + CHILDREN, size);
    int least = 0;
    for (int child = first; child < end; child++) {
      least = least == 0 || uses[child] < uses[least] ? child : least;
    }
    return least;
  }

  private void put(int at, LiveGenerator moved, long use) {
    heap[at] = moved;
    uses[at] = use;
    moved.orderIndex = at;
  }
}
