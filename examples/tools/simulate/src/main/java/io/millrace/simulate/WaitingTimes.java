package io.millrace.simulate;

import java.util.function.LongSupplier;

/** The arrival times of waiting requests: a queue, first come, first served. */
final class WaitingTimes {

  private long[] times = new long[4];
  private int first;
  private int end;

  int size() {
    return end - first;
  }

  boolean isEmpty() {
    return first == end;
  }

  void add(long time) {
    makeRoom(1);
    times[end++] = time;
  }

  /** Adds several requests that came after all others, the last of them first. */
  void addFromLast(int count, LongSupplier descending) {
    makeRoom(count);
    end += count;
    for (int i = 1; i <= count; i++) {
      times[end - i] = descending.getAsLong();
    }
  }

  long poll() {
    return times[first++];
  }

  private void makeRoom(int count) {
    if (end + count <= times.length) {
      return;
    }
    int size = size();
    long[] target =
        size + count > times.length / 2
            ? new long[Math.max(2 * times.length, size + count)]
            : times;
    System.arraycopy(times, first, target, 0, size);
    times = target;
    first = 0;
    end = size;
  }
}
