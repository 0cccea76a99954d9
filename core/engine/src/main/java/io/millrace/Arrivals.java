package io.millrace;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue with one producer thread and one consumer thread. It takes memory as elements
 * come: none at first, then a small ring, and a larger one whenever that is full.
 *
 * <p><b>Invariant.</b> Elements are numbered as they are added. The queue contains the numbers from
 * {@link #taken} to {@link #added} - 1. An element is in the last ring whose first number is not
 * above its own. The producer writes the element and then {@code added}; the consumer reads {@code
 * added} first. So a consumer that sees the number of an element sees the whole element.
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

    /** The number of slots is a power of two. */
    private final @Nullable Object[] slots;

    /** The number of the first element in this ring. */
    private final long from;

    /** The ring used after this one is full. Written once, before its first element is added. */
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

  /** Used by the producer. */
  private @Nullable Ring producerRing;

  /** Written by the producer before the first element is added; then used by the consumer. */
  private @Nullable Ring consumerRing;

  private volatile long added;
  private volatile long taken;

  Arrivals(int capacity) {
    this.capacity = capacity;
  }

  /** Adds an element. Returns false if the queue is full. */
  boolean offer(T element) {
    long number = added;
    long oldest = taken;
    if (number - oldest >= capacity) {
      return false;
    }
    Ring ring = producerRing;
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
      consumerRing = larger;
    } else {
      full.next = larger;
    }
    producerRing = larger;
    return larger;
  }

  /** Removes the oldest element. Returns null if there is none. */
  @SuppressWarnings("unchecked")
  @Nullable T poll() {
    long number = taken;
    Ring ring = number == added ? null : consumerRing;
    if (ring == null) {
      return null;
    }
    Ring next = ring.next;
    if (next != null && next.from == number) {
      ring = next;
      consumerRing = next;
    }
    int slot = ring.slotOf(number);
    T element = (T) ring.slots[slot];
    ring.slots[slot] = null;
    TAKEN.lazySet(this, number + 1);
    return element;
  }

  /** For the producer and the consumer. */
  boolean isEmpty() {
    return added == taken;
  }

  /** How many elements were added so far. */
  long added() {
    return added;
  }

  /** Exact for the producer or the consumer while the other pauses; otherwise approximate. */
  int size() {
    return (int) Math.max(0, added - taken);
  }
}
