package io.millrace.simulate;

import java.util.Arrays;

/**
 * Events in order of time; events of the same time are in the order in which they were added. A
 * binary heap in primitive arrays.
 */
final class EventQueue {

  private long[] times;
  private long[] turns;
  private int[] events;
  private int size;
  private long turn;

  EventQueue(int capacity) {
    times = new long[Math.max(1, capacity)];
    turns = new long[times.length];
    events = new int[times.length];
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the first event; there must be one. */
  long time() {
    return times[0];
  }

  void add(long time, int event) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      turns = Arrays.copyOf(turns, size * 2);
      events = Arrays.copyOf(events, size * 2);
    }
    int at = size++;
    long turn = this.turn++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (times[parent] <= time) { // an event that was added before comes first
        break;
      }
      copy(parent, at);
      at = parent;
    }
    put(at, time, turn, event);
  }

  /** Removes the first event and returns it; there must be one. */
  int poll() {
    int first = events[0];
    size--;
    long time = times[size];
    long turn = turns[size];
    int event = events[size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(child + 1, times[child], turns[child])) {
        child++;
      }
      if (!isBefore(child, time, turn)) {
        break;
      }
      copy(child, at);
      at = child;
    }
    put(at, time, turn, event);
    return first;
  }

  private boolean isBefore(int at, long time, long turn) {
    return times[at] < time || (times[at] == time && turns[at] < turn);
  }

  private void copy(int from, int to) {
    times[to] = times[from];
    turns[to] = turns[from];
    events[to] = events[from];
  }

  private void put(int at, long time, long turn, int event) {
    times[at] = time;
    turns[at] = turn;
    events[at] = event;
  }
}
