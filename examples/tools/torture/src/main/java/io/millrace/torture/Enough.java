package io.millrace.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks that a run did enough to prove anything. */
final class Enough {

  /** Below that, a run is too short for all kinds of faults and for many pairs. */
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final long SECONDS_PER_KILL = 10;
  private static final long VALUES_PER_SECOND = 20;
  private static final long ROWS_PER_SECOND = 1;
  private static final long PAIRS = 100_000;

  private Enough() {}

  /** What is missing, a line each; empty if enough happened. */
  static List<String> missing(Duration time, Faults faults, List<ModeResult> results) {
    List<String> missing = new ArrayList<>();
    long seconds = time.toSeconds();
    require(missing, "kills", faults.get(Faults.Kind.KILL), seconds / SECONDS_PER_KILL);
    boolean isLong = time.compareTo(LONG) >= 0;
    if (isLong) {
      for (Faults.Kind kind : List.of(Faults.Kind.PAUSE, Faults.Kind.RENEWAL, Faults.Kind.LEAVE)) {
        require(missing, kind + " faults", faults.get(kind), 1);
      }
    }
    for (ModeResult result : results) {
      long values = result.mode().isTimed() ? ROWS_PER_SECOND : VALUES_PER_SECOND;
      require(missing, result.mode() + " values", result.received(), seconds * values);
      if (result.mode() == Mode.ORDERED) {
        require(missing, "pairs in order", result.orderChecked(), isLong ? PAIRS : 1);
      }
    }
    return missing;
  }

  static void require(List<String> missing, String what, long was, long least) {
    if (was < least) {
      missing.add(what + ": at least " + least + ", was " + was);
    }
  }
}
