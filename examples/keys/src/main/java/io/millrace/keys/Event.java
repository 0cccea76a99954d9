package io.millrace.keys;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A row of a log of many hosts, of the guide "Design primary keys for Lindorm wide tables".
 *
 * @param host the host
 * @param event the kind of event
 * @param at the time
 * @param text the text of the log
 */
record Event(String host, String event, Instant at, String text) {

  static final List<String> COLUMNS = List.of("host", "event", "happened_at", "message");

  static final Comparator<Event> BY_TIME =
      Comparator.comparing(Event::at).thenComparing(Event::host).thenComparing(Event::event);

  void writeTo(Mutation.WriteBuilder row) {
    row.set("host").to(host);
    row.set("event").to(event);
    row.set("happened_at").to(Times.timestamp(at));
    row.set("message").to(text);
  }

  static Event of(Struct row) {
    return new Event(
        row.getString("host"),
        row.getString("event"),
        Times.instant(row.getTimestamp("happened_at")),
        row.getString("message"));
  }
}
