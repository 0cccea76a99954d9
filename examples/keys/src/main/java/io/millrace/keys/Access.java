package io.millrace.keys;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Struct;
import io.millrace.spanner.ddl.ColumnType;
import io.millrace.spanner.ddl.TableDdl;
import io.millrace.spanner.ddl.TableDdlBuilder;
import java.time.Instant;
import java.util.List;

/**
 * A row of a UserAccessLog, the table of the guide "Schema design best practices".
 *
 * @param user the user
 * @param at the time
 * @param page the page that the user looked at
 */
record Access(String user, Instant at, String page) {

  static final List<String> COLUMNS = List.of("UserId", "LastAccess", "Page");

  /** Starts the DDL of a table of accesses, without a key. */
  static TableDdlBuilder table(String name) {
    return TableDdl.named(name)
        .column("UserId", ColumnType.string(36))
        .column("LastAccess", ColumnType.timestamp())
        .column("Page", ColumnType.string(200));
  }

  void writeTo(Mutation.WriteBuilder row) {
    row.set("UserId").to(user);
    row.set("LastAccess").to(Times.timestamp(at));
    row.set("Page").to(page);
  }

  static Access of(Struct row) {
    return new Access(
        row.getString("UserId"),
        Times.instant(row.getTimestamp("LastAccess")),
        row.getString("Page"));
  }
}
