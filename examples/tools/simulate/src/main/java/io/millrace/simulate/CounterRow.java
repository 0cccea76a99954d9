package io.millrace.simulate;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** One counter row: its lock serves one reservation at a time. */
final class CounterRow {

  /** Chooses the next one of a number of waiting reservations. */
  private final IntUnaryOperator next;

  /** A ring of the instances whose reservations wait for the lock, from {@link #first} on. */
  private int[] line = new int[8];

  private int first;
  private int waiting;
  private boolean held;

  private long changedAt;
  private double heldNanos;
  private double presentNanos;

  /**
   * Creates a row whose lock is free.
   *
   * @param next returns the place in line, from 0, of the next one, for a number of waiting ones
   */
  CounterRow(IntUnaryOperator next) {
    this.next = next;
  }

  /** Adds a reservation; true if it has the lock now, false if it waits for the lock. */
  boolean enter(int instance, long now) {
    count(now);
    if (!held) {
      held = true;
      return true;
    }
    if (waiting == line.length) {
      grow();
    }
    line[place(waiting++)] = instance;
    return false;
  }

  /** Releases the lock. Returns the instance that acquires it next; -1 if none waits. */
  int leave(long now) {
    count(now);
    if (waiting == 0) {
      held = false;
      return -1;
    }
    int chosen = place(next.applyAsInt(waiting));
    int instance = line[chosen];
    line[chosen] = line[first];
    first = place(1);
    waiting--;
    return instance;
  }

  private int place(int index) {
    int place = first + index;
    return place < line.length ? place : place - line.length;
  }

  private void grow() {
    int[] old = line;
    line = Arrays.copyOf(Arrays.copyOfRange(old, first, old.length), 2 * old.length);
    System.arraycopy(old, 0, line, old.length - first, first);
    first = 0;
  }

  /** Adds the time since the last change to the counts. */
  void count(long now) {
    double nanos = now - changedAt;
    changedAt = now;
    if (held) {
      heldNanos += nanos;
      presentNanos += nanos * (waiting + 1);
    }
  }

  /** The time in which the lock was held. */
  double heldNanos() {
    return heldNanos;
  }

  /** The time that reservations spent at this row; the integral of their number over time. */
  double presentNanos() {
    return presentNanos;
  }
}
