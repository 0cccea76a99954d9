package io.millrace.keys;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.TableDdl;
import io.millrace.spanner.ddl.TableDdlBuilder;
import java.time.Instant;
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

  static final List<String> COLUMNS = List.of("Host", "Event", "HappenedAt", "Text");

  /** Starts the DDL of a table of events, without a key. */
  static TableDdlBuilder table(String name) {
    return TableDdl.named(name)
        .column("Host", ColumnType.string(100))
        .column("Event", ColumnType.string(40))
        .column("HappenedAt", ColumnType.timestamp())
        .column("Text", ColumnType.string(1000));
  }

  void writeTo(Mutation.WriteBuilder row) {
    row.set("Host").to(host);
    row.set("Event").to(event);
    row.set("HappenedAt").to(Times.timestamp(at));
    row.set("Text").to(text);
  }

  static Event of(Struct row) {
    return new Event(
        row.getString("Host"),
        row.getString("Event"),
        Times.instant(row.getTimestamp("HappenedAt")),
        row.getString("Text"));
  }
}
