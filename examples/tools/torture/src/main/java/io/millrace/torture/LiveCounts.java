package io.millrace.torture;

import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Follows the tapes of one life of a process while it writes them.
 *
 * <p>One thread reads the tapes; any thread may call {@link #missing()} and {@link #forget()}.
 */
final class LiveCounts {

  /** Values received so far, in one mode, over all processes. */
  static final class Total {

    private volatile long count;
    private volatile long largest;

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void add(long value) {
      count++;
      largest = Math.max(largest, value);
    }

    long count() {
      return count;
    }

    long largest() {
      return largest;
    }
  }

  private final Map<Mode, List<TapeReader>> readers = new EnumMap<>(Mode.class);
  private final Map<Mode, Total> totals;
  private final Set<Mode> seen = ConcurrentHashMap.newKeySet();

  /**
   * @param totals to which the values are added
   */
  LiveCounts(Path directory, int process, int life, Map<Mode, Total> totals) {
    this.totals = totals;
    for (Mode mode : totals.keySet()) {
      List<TapeReader> lanes = new ArrayList<>();
      for (int lane = 0; lane < Mode.LANES; lane++) {
        lanes.add(new TapeReader(new TapeName(mode, process, life, lane).in(directory)));
      }
      readers.put(mode, lanes);
    }
  }

  /** Reads what was written since the last call. */
  void read() {
    totals.forEach(
        (mode, total) ->
            readers
                .getOrDefault(mode, List.of())
                .forEach(
                    reader ->
                        reader.read(
                            longs ->
                                mode.isTimed()
                                    ? timed(mode, total, longs)
                                    : values(mode, total, longs))));
  }

  private int values(Mode mode, Total total, LongBuffer longs) {
    int taken = 0;
    for (long next = 1; longs.hasRemaining(); taken++) {
      next = longs.get();
      if (next == 0) {
        break;
      }
      if (next > 0) {
        received(mode, total, next);
      }
    }
    return taken;
  }

  private int timed(Mode mode, Total total, LongBuffer longs) {
    int taken = 0;
    while (longs.remaining() >= TimedTape.LONGS) {
      longs.get();
      long value = longs.get();
      if (longs.get() == 0) {
        break; // not over yet
      }
      if (value != 0) {
        received(mode, total, value);
      }
      taken += TimedTape.LONGS;
    }
    return taken;
  }

  private void received(Mode mode, Total total, long value) {
    total.add(value);
    seen.add(mode);
  }

  /** The modes in which the process has not received a value since {@link #forget()}. */
  Set<Mode> missing() {
    Set<Mode> missing = new TreeSet<>(totals.keySet());
    missing.removeAll(seen);
    return missing;
  }

  /** Forgets in which modes the process has received values. */
  void forget() {
    seen.clear();
  }
}
