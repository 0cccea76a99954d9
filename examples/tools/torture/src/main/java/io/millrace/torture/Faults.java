package io.millrace.torture;

import io.millrace.tools.TextTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts the faults of the processes and their network. */
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

  String table() {
    List<List<String>> rows = new ArrayList<>();
    counts.forEach(
        (kind, count) -> rows.add(List.of(kind.text(), String.format(Locale.ROOT, "%,d", count))));
    return new TextTable(List.of("fault", "times"), 1, rows).text();
  }
}
