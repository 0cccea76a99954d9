package io.millrace.torture;

import java.util.EnumMap;
import java.util.Map;

/** What was done to the processes and their network. */
final class Faults {

  /** A kind of fault. */
  enum Kind {
    KILL("killed"),
    PAUSE("paused beyond the timeouts"),
    RENEWAL("disposed all generators and went on"),
    LEAVE("disposed all generators and ended"),
    SLOW("network slow"),
    DRIP("network drips"),
    CUT("connections cut"),
    SILENCE("connections half-open");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

  void add(Kind kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  long get(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }
}
