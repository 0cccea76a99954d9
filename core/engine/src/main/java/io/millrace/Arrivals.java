package io.millrace;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A queue that one thread fills and another empties, for at most so many elements. It takes memory
 * as elements come: none at first, then a ring for a few, and a larger one whenever that is full.
 *
 * <p><b>Invariant.</b> Elements are numbered as they are put in. Those from {@link #taken} on and
 * below {@link #added} are inside; each stands in the last ring that begins at its number or below.
 * The one who fills writes the element, then {@code added}; the one who empties reads {@code added}
 * first. So all of an element is seen once its number is.
 */
final class Arrivals<T> {

  private static final int FIRST_RING = 4;

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<Arrivals> ADDED =
      AtomicLongFieldUpdater.newUpdater(Arrivals.class, "added");

  @SuppressWarnings("rawtypes")
  private static final AtomicLongFieldUpdater<Arrivals> TAKEN =
      AtomicLongFieldUpdater.newUpdater(Arrivals.class, "taken");

  private static final class Ring {

    /** A power of two of slots. */
    private final @Nullable Object[] slots;

    /** The number of its first element. */
    private final long from;

    /** Takes over when this one is full. Written once, before its first element is added. */
    private @Nullable Ring next;

    Ring(int size, long from) {
      this.slots = new Object[size];
      this.from = from;
    }

    int slotOf(long number) {
      return (int) (number - from) & (slots.length - 1);
    }
  }

  private final int capacity;

  /** Used by the one who fills. */
  private @Nullable Ring filling;

  /** Written by the one who fills, before the first element is added; then used to empty. */
  private @Nullable Ring emptying;

  private volatile long added;
  private volatile long taken;

  Arrivals(int capacity) {
    this.capacity = capacity;
  }

  /** Puts an element in; false if there are as many as there may be. */
  boolean offer(T element) {
    long number = added;
    long oldest = taken;
    if (number - oldest >= capacity) {
      return false;
    }
    Ring ring = filling;
    if (ring == null || number - Math.max(oldest, ring.from) >= ring.slots.length) {
      ring = append(ring, number);
    }
    ring.slots[ring.slotOf(number)] = element;
    ADDED.lazySet(this, number + 1);
    return true;
  }

  private Ring append(@Nullable Ring full, long number) {
    Ring larger = new Ring(full == null ? FIRST_RING : full.slots.length * 4, number);
    if (full == null) {
      emptying = larger;
    } else {
      full.next = larger;
    }
    filling = larger;
    return larger;
  }

  /** Takes the oldest element out; null if there is none. */
  @SuppressWarnings("unchecked")
  @Nullable T poll() {
    long number = taken;
    Ring ring = number == added ? null : emptying;
    if (ring == null) {
      return null;
    }
    Ring next = ring.next;
    if (next != null && next.from == number) {
      ring = next;
      emptying = next;
    }
    int slot = ring.slotOf(number);
    T element = (T) ring.slots[slot];
    ring.slots[slot] = null;
    TAKEN.lazySet(this, number + 1);
    return element;
  }

  /** For either of the two. */
  boolean isEmpty() {
    return added == taken;
  }

  /** How many were put in so far. */
  long added() {
    return added;
  }

  /** Exact for either of the two while the other pauses; for others about so many. */
  int size() {
    return (int) Math.max(0, added - taken);
  }
}
