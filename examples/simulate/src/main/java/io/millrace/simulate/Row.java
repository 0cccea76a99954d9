package io.millrace.simulate;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** One row of the counter's table: its lock serves one reservation at a time. */
final class Row {

  /** Which of so many that wait is next. */
  private final IntUnaryOperator next;

  /** The instances whose reservations wait for the lock, from {@link #first} on, around the end. */
  private int[] line = new int[8];

  private int first;
  private int waiting;
  private boolean held;

  private long changedAt;
  private double heldNanos;
  private double presentNanos;

  /**
   * A row whose lock is free.
   *
   * @param next the place in line, from 0, of who is next of so many
   */
  Row(IntUnaryOperator next) {
    this.next = next;
  }

  /** A reservation comes; true if it has the lock now, false if it waits for it. */
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

  /** A reservation gives the lock up: to the instance returned, or to nobody if that is -1. */
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

  /** Counts what was so since the last change. */
  void count(long now) {
    double nanos = now - changedAt;
    changedAt = now;
    if (held) {
      heldNanos += nanos;
      presentNanos += nanos * (waiting + 1);
    }
  }

  /** For how long the lock was held. */
  double heldNanos() {
    return heldNanos;
  }

  /** The time that reservations spent here, summed over moments, not over reservations. */
  double presentNanos() {
    return presentNanos;
  }
}
