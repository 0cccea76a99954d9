package io.millrace.torture;

import it.unimi.dsi.fastutil.longs.LongArrays;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that a value requested after another was received is greater. One sweep over the starts
 * and the ends covers all pairs: it compares each value with the largest of those that were
 * received before its request was made.
 *
 * @param pairs how many pairs of requests did not overlap
 * @param violations the first pairs in the wrong order
 */
record RealTime(long pairs, List<String> violations) {

  private static final int NAMED = 10;

  static RealTime of(Requests requests) {
    long[] starts = requests.starts().toLongArray();
    long[] ends = requests.ends().toLongArray();
    int[] byStart = order(starts);
    int[] byEnd = order(ends);
    List<String> violations = new ArrayList<>();
    long pairs = 0;
    int ended = 0;
    int largest = -1; // the request with the largest value of those that have ended
    for (int request : byStart) {
      while (ended < byEnd.length && ends[byEnd[ended]] < starts[request]) {
        int done = byEnd[ended++];
        if (largest < 0 || value(requests, done) > value(requests, largest)) {
          largest = done;
        }
      }
      pairs += ended;
      if (largest >= 0 && value(requests, largest) >= value(requests, request)) {
        if (violations.size() < NAMED) {
          violations.add(text(requests, largest, request));
        }
      }
    }
    return new RealTime(pairs, violations);
  }

  private static int[] order(long[] times) {
    int[] order = new int[times.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    LongArrays.radixSortIndirect(order, times, false);
    return order;
  }

  private static long value(Requests requests, int request) {
    return requests.values().getLong(request);
  }

  private static String text(Requests requests, int earlier, int later) {
    return value(requests, earlier)
        + " was received "
        + (requests.starts().getLong(later) - requests.ends().getLong(earlier))
        + " ns before the request for "
        + value(requests, later)
        + " was made";
  }
}
