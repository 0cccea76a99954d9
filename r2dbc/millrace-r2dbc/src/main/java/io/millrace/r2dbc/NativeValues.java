package io.millrace.r2dbc;

import io.millrace.SequenceBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of several blocks, in the order in which they were added. For one thread at a time.
 */
final class NativeValues {

  private final List<SequenceBlock> runs = new ArrayList<>();
  private long count;

  /** Adds consecutive values. */
  void add(SequenceBlock run) {
    count += run.size();
    int last = runs.size() - 1;
    if (last >= 0 && runs.get(last).last() + 1 == run.first()) {
      SequenceBlock joined = runs.get(last);
      runs.set(last, SequenceBlock.of(joined.first(), joined.size() + run.size()));
    } else {
      runs.add(run);
    }
  }

  long count() {
    return count;
  }

  /** The first {@code size} values, of at least as many. */
  SequenceBlock first(int size) {
    if (runs.get(0).size() >= size) {
      return runs.get(0).slice(0, size);
    }
    long[] values = new long[size];
    int filled = 0;
    for (SequenceBlock run : runs) {
      for (long i = 0; i < run.size() && filled < size; i++) {
        values[filled++] = run.valueAt(i);
      }
    }
    return SequenceBlock.ofValues(values);
  }

  /** The values behind the first {@code size}, all of the last block; null if there are none. */
  @Nullable SequenceBlock rest(int size) {
    SequenceBlock last = runs.get(runs.size() - 1);
    long left = count - size;
    return left == 0 ? null : last.slice(last.size() - left, last.size());
  }
}
