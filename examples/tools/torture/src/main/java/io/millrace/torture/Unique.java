package io.millrace.torture;

import it.unimi.dsi.fastutil.longs.LongAVLTreeSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongSortedSet;
import java.util.Arrays;

/**
 * Finds values that were received more than once.
 *
 * @param sorted all values, in order
 * @param twice the first of those that were received more than once
 * @param duplicates how many values were received although they had been received before
 */
record Unique(long[] sorted, LongSortedSet twice, long duplicates) {

  private static final int NAMED = 10;

  static Unique of(LongArrayList values) {
    long[] sorted = values.toLongArray();
    Arrays.sort(sorted);
    LongSortedSet twice = new LongAVLTreeSet();
    long duplicates = 0;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        duplicates++;
        if (twice.size() < NAMED) {
          twice.add(sorted[i]);
        }
      }
    }
    return new Unique(sorted, twice, duplicates);
  }

  /** How many different values there are. */
  long distinct() {
    return sorted.length - duplicates;
  }

  /** The largest value; 0 if there is none. */
  long largest() {
    return sorted.length == 0 ? 0 : sorted[sorted.length - 1];
  }
}
