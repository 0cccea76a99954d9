package io.millrace.torture;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.nio.LongBuffer;
import java.nio.file.Path;

/**
 * The answered requests of any number of {@link TimedTape}s: when each was made, its value, when
 * the value was received, and the row that it names.
 */
final class Requests {

  private final LongArrayList starts = new LongArrayList();
  private final LongArrayList ends = new LongArrayList();
  private final LongArrayList values = new LongArrayList();
  private final LongArrayList rows = new LongArrayList();
  private long left;

  /** Adds a request that was answered. */
  void add(long start, long end, long value, long row) {
    starts.add(start);
    ends.add(end);
    values.add(value);
    rows.add(row);
  }

  /** Adds the requests of a tape. */
  void read(Path file) {
    TapeName name = TapeName.of(file);
    int[] place = {0};
    new TapeReader(file).read(longs -> take(name, place, longs));
  }

  private int take(TapeName name, int[] place, LongBuffer longs) {
    int taken = 0;
    while (longs.remaining() >= TimedTape.LONGS) {
      long start = longs.get();
      if (start == 0) {
        break;
      }
      long value = longs.get();
      long end = longs.get();
      if (value == 0) {
        left++;
      } else {
        // The process died, or the subscriber left: the value came, and we do not know when.
        add(start, end <= 0 ? Long.MAX_VALUE : end, value, name.row(place[0]));
      }
      place[0] += TimedTape.LONGS;
      taken += TimedTape.LONGS;
    }
    return taken;
  }

  /** When each request was made. */
  LongArrayList starts() {
    return starts;
  }

  /** When each value was received; the largest long if unknown. */
  LongArrayList ends() {
    return ends;
  }

  LongArrayList values() {
    return values;
  }

  /** The row that each request names. */
  LongArrayList rows() {
    return rows;
  }

  /** How many requests had no answer: cancelled, failed, or made by a process that died. */
  long left() {
    return left;
  }
}
