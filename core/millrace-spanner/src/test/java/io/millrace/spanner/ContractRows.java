package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.ResultSet;
import io.millrace.test.contract.ContractRow;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables of {@link ContractRow} in a database. */
final class ContractRows {

  private static final Map<String, String> KEYS =
      Map.of("facts", "stream, version", "notes", "note");

  private ContractRows() {}

  static void createTables(EmulatorDatabase database) {
    boolean isPostgreSql = database.dialect() == Dialect.POSTGRESQL;
    KEYS.forEach(
        (table, key) ->
            database.update(
                isPostgreSql
                    ? "CREATE TABLE "
                        + table
                        + " (stream varchar NOT NULL, version bigint NOT NULL,"
                        + " note varchar(9) NOT NULL, PRIMARY KEY ("
                        + key
                        + "))"
                    : "CREATE TABLE "
                        + table
                        + " (stream STRING(MAX) NOT NULL, version INT64 NOT NULL,"
                        + " note STRING(9) NOT NULL) PRIMARY KEY ("
                        + key
                        + ")"));
  }

  static SpannerInserts<ContractRow> inserts(DatabaseClient client, String table) {
    return SpannerInserts.<ContractRow>into(
            client,
            table,
            (row, columns) ->
                columns
                    .set("stream")
                    .to(row.stream())
                    .set("version")
                    .to(row.version())
                    .set("note")
                    .to(row.note()))
        .retries(3, Duration.ofMillis(1), Duration.ofMillis(10))
        .concurrency(1);
  }

  static List<ContractRow> stored(DatabaseClient client, String table) {
    List<ContractRow> rows = new ArrayList<>();
    try (ResultSet found =
        client.singleUse().read(table, KeySet.all(), List.of("stream", "version", "note"))) {
      while (found.next()) {
        rows.add(new ContractRow(found.getString(0), found.getLong(1), found.getString(2)));
      }
    }
    return rows;
  }
}
