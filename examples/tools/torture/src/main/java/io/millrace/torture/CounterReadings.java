package io.millrace.torture;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Checks the readings of the counters during a run. Used by one thread at a time. */
final class CounterReadings {

  private static final int NAMED = 10;

  private final Map<Mode, Long> latest = new EnumMap<>(Mode.class);
  private final List<Violation> violations = new ArrayList<>();
  private long count;

  /**
   * Adds a reading.
   *
   * @param received the largest value received before the reading or, if values are not dense, how
   *     many were
   * @param reserved how many values the counter has passed
   */
  void add(Mode mode, long received, long reserved) {
    count++;
    if (reserved < received) {
      violation(
          mode
              + ": "
              + received
              + (mode.isDense() ? " was received" : " values were received")
              + ", then the counter had passed "
              + reserved);
    }
    long before = latest.getOrDefault(mode, 0L);
    if (!mode.isReleasable() && reserved < before) {
      violation(mode + ": moved from " + before + " to " + reserved);
    }
    latest.put(mode, reserved);
  }

  private void violation(String what) {
    if (violations.size() < NAMED) {
      violations.add(new Violation("counters do not move back", what));
    }
  }

  long count() {
    return count;
  }

  List<Violation> violations() {
    return violations;
  }
}
